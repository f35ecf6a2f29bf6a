import { generateKeyPairSync } from 'node:crypto';
import { authenticate } from 'mailauth';
import PostalMime from 'postal-mime';
import { afterEach, expect, test } from 'vitest';
import { type BulkMail, bulkSmtpMail } from '~/server/adapters/mail/bulk/bulk-mail';
import type { DkimKey } from '~/server/adapters/mail/bulk/dkim-signature';
import type { BulkResult } from '~/server/adapters/mail/bulk/message';
import { startThread } from '~/server/audio/thread';
import { sampleEdition, sampleRecipient } from './sample-edition';
import { ALL_OFFERS, openPeer } from './smtp-peer';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const startDkimThread = () =>
  startThread(
    { built: 'dkim-thread', source: new URL('../../../server/adapters/mail/bulk/dkim-thread.ts', import.meta.url) },
    {},
  );

const SENDER_IP = '192.0.2.7';
const DOMAIN = 'altavoz.example';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const KEYS: Record<DkimKey['algorithm'], DkimKey> = {
  'rsa-sha256': keyOf('rsa-sha256', 'r1', rsa.privateKey.export({ type: 'pkcs8', format: 'pem' })),
  'ed25519-sha256': keyOf('ed25519-sha256', 'e1', ed25519.privateKey.export({ type: 'pkcs8', format: 'pem' })),
};

function keyOf(algorithm: DkimKey['algorithm'], selector: string, privateKey: string | Buffer): DkimKey {
  return { domain: DOMAIN, selector, algorithm, privateKey: String(privateKey) };
}

const ZONE: Record<string, string> = {
  [`r1._domainkey.${DOMAIN}`]: `v=DKIM1; k=rsa; p=${rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  // RFC 8463 §4.2: the key without its frame
  [`e1._domainkey.${DOMAIN}`]: `v=DKIM1; k=ed25519; p=${ed25519.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')}`,
  [`mail.${DOMAIN}`]: `v=spf1 ip4:${SENDER_IP} -all`,
  [`_dmarc.${DOMAIN}`]: 'v=DMARC1; p=reject; adkim=r; aspf=r',
};

async function resolver(name: string, type: string): Promise<string[][]> {
  const record = ZONE[name];
  if (type === 'TXT' && record) return [[record]];
  throw Object.assign(new Error(`no ${type} of ${name}`), { code: 'ENOTFOUND' });
}

const verify = (message: Buffer) =>
  authenticate(message, {
    ip: SENDER_IP,
    helo: 'mta.altavoz.example',
    sender: `bounces@mail.${DOMAIN}`,
    mta: 'mx',
    resolver,
  });

function openMail(dkim: DkimKey | null, url = 'smtp://127.0.0.1:1'): BulkMail {
  const mail = bulkSmtpMail({ url, dkim, startDkimThread });
  opened.push(mail);
  return mail;
}

const LONG_TEXT = `${'Una línea con  dos espacios y eñes. '.repeat(20)}\n\n  {{name}}  \n.\n\n\n`;

test.each(['rsa-sha256', 'ed25519-sha256'] as const)(
  'receivers accept what is signed with %s: DKIM, SPF and DMARC pass',
  async (algorithm) => {
    const compose = openMail(KEYS[algorithm]).compose(
      sampleEdition({
        subject: '  Para   {{name}}: ¿qué  tal?',
        text: LONG_TEXT,
        html: `<p>  {{name}}</p>\n\n${LONG_TEXT}`,
      }),
    );
    const recipients = ['', 'Ana   María', 'Ñ'.repeat(100), 'a\r\n b'].map((name, i) =>
      sampleRecipient({ to: { name, address: `r${i}@reader.example` }, values: { name } }),
    );
    const messages = await Promise.all(recipients.map((recipient) => compose(recipient).bytes()));

    for (const message of messages) {
      const { dkim, spf, dmarc } = await verify(message);
      expect(dkim.results.map(({ status }) => status.result)).toEqual(['pass']);
      expect(spf?.status.result).toBe('pass');
      expect(dmarc?.status.result).toBe('pass');
      expect(dkim.results[0]!.signingHeaders?.keys.toLowerCase().split(/:\s*/)).toEqual(
        expect.arrayContaining(
          'from to subject date message-id list-unsubscribe list-unsubscribe-post list-id mime-version content-type reply-to'.split(
            ' ',
          ),
        ),
      );
    }
  },
);

test('what a mail server receives still has a valid signature', async () => {
  const peers = await Promise.all([openPeer({ offers: ALL_OFFERS }), openPeer()]);
  opened.push(...peers);
  for (const peer of peers) {
    const mail = openMail(KEYS['rsa-sha256'], peer.url);
    const compose = mail.compose(sampleEdition());
    const all = Array.from({ length: 200 }, (_, i) =>
      compose(sampleRecipient({ id: String(i), to: { name: `Nº ${i}`, address: `r${i}@d${i}.example` } })),
    );
    const results: BulkResult[] = [];
    await mail.send(all, (batch) => void results.push(...batch));
    const verified = await Promise.all(peer.kept.slice(0, 20).map(({ bytes }) => verify(bytes)));

    expect(results.filter(({ state }) => state === 'sent')).toHaveLength(200);
    expect(new Set(verified.flatMap(({ dkim }) => dkim.results.map(({ status }) => status.result)))).toEqual(
      new Set(['pass']),
    );
    expect((await PostalMime.parse(peer.kept[7]!.bytes)).html).toContain('Hola Ana');
  }
});

test.each<[string, (text: string) => string]>([
  ['another text', (text) => text.replace('nuevo', 'viejo')],
  ['another address to unsubscribe at', (text) => text.replace('unsubscribe/abc', 'unsubscribe/xyz')],
  ['another kind of unsubscribing', (text) => text.replace('One-Click', 'Two-Click')],
  ['a second sender', (text) => `From: Mallory <m@evil.example>\r\n${text}`],
  ['another recipient', (text) => text.replace('ana@reader', 'eva@reader')],
])('%s breaks the signature', async (_, change) => {
  const message = await openMail(KEYS['rsa-sha256'])
    .compose(sampleEdition({ fields: [] }))(sampleRecipient())
    .bytes();
  const { dkim } = await verify(Buffer.from(change(message.toString())));

  expect(dkim.results.map(({ status }) => status.result)).not.toContain('pass');
});

test('two keys give two signatures', async () => {
  const compose = openMail(null).compose(sampleEdition(), Object.values(KEYS));
  const { dkim } = await verify(await compose(sampleRecipient()).bytes());

  expect(dkim.results.map(({ status, selector }) => [selector, status.result])).toEqual([
    ['r1', 'pass'],
    ['e1', 'pass'],
  ]);
});

test('an email from a creator’s own domain has its signature and ours, and DMARC passes by its own', async () => {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const domain = 'letters.example';
  const privateKey = String(own.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const key: DkimKey = { domain, selector: 'altavoz-1', algorithm: 'rsa-sha256', privateKey };
  ZONE[`altavoz-1._domainkey.${domain}`] =
    `v=DKIM1; k=rsa; p=${own.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
  ZONE[`_dmarc.${domain}`] = 'v=DMARC1; p=reject; adkim=s; aspf=s';
  const edition = sampleEdition({ from: { name: 'Nora', address: `news@${domain}` } });
  const message = await openMail(KEYS['rsa-sha256']).compose(edition, [key])(sampleRecipient()).bytes();

  const { dkim, dmarc } = await verify(message);
  expect(dkim.results.map(({ signingDomain, status }) => [signingDomain, status.result])).toEqual([
    [domain, 'pass'],
    [DOMAIN, 'pass'],
  ]);
  expect(dmarc?.status.result).toBe('pass');

  // without the domain's own signature, ours proves nothing about its sender
  delete ZONE[`altavoz-1._domainkey.${domain}`];
  const alone = await verify(message);
  expect(alone.dkim.results.map(({ status }) => status.result)).not.toEqual(['pass', 'pass']);
  expect(alone.dmarc?.status.result).not.toBe('pass');
});

test('the key of another domain does not sign', async () => {
  const mail = openMail({ ...KEYS['rsa-sha256'], domain: 'voz.example' });
  const message = await mail.compose(sampleEdition())(sampleRecipient()).bytes();

  expect(message.toString()).not.toContain('DKIM-Signature');
});

test('a key that can not sign fails its emails and no others', async () => {
  const mail = openMail(KEYS['ed25519-sha256']);
  const broken = mail.compose(sampleEdition(), [{ ...KEYS['rsa-sha256'], privateKey: 'no key' }])(sampleRecipient());
  const whole = mail.compose(sampleEdition())(sampleRecipient());

  await expect(broken.bytes()).rejects.toThrow();
  expect((await whole.bytes()).toString()).toMatch(/^DKIM-Signature: v=1; a=ed25519-sha256; /);
});
