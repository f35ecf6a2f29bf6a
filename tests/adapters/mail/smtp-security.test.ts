import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { createBulkSender } from '~/server/adapters/mail/bulk/bulk-sender';
import type { BulkResult } from '~/server/adapters/mail/bulk/message';
import { openPeer } from './smtp-peer';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function openServer(options: SMTPServerOptions = {}) {
  const seen: { secure: boolean; user: unknown; text: string }[] = [];
  const server = new SMTPServer({
    onAuth: ({ username, password }, _, done) =>
      password === 'secret' ? done(null, { user: username }) : done(new Error('wrong password')),
    onData(stream, { secure, user }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        seen.push({ secure, user, text: Buffer.concat(chunks).toString() });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as { port: number };
  return { seen, port };
}

async function sendTo(url: string): Promise<BulkResult[]> {
  const sender = createBulkSender({ url, connections: 1, pauseMs: 1 });
  opened.push(() => sender.close());
  const results: BulkResult[] = [];
  const bytes = () => Buffer.from('Subject: hi\r\n\r\n.hello\r\n');
  const all = ['1', '2'].map((id) => ({ id, from: 'a@a.example', to: `r${id}@b.example`, bytes }));
  await sender.send(all, (batch) => void results.push(...batch));
  return results;
}

const TRUSTING = 'tls.rejectUnauthorized=false';

test.each([
  ['STARTTLS and PLAIN', {}, (port: number) => `smtp://lucia:secret@127.0.0.1:${port}?requireTLS=true&${TRUSTING}`],
  [
    'STARTTLS and LOGIN',
    { authMethods: ['LOGIN'] },
    (port: number) => `smtp://lucia:secret@127.0.0.1:${port}?${TRUSTING}`,
  ],
  ['TLS from the beginning', { secure: true }, (port: number) => `smtps://lucia:secret@127.0.0.1:${port}?${TRUSTING}`],
])('emails are sent over %s', async (_, options, urlOf) => {
  const { seen, port } = await openServer(options);
  const results = await sendTo(urlOf(port));

  expect(results.map(({ state }) => state)).toEqual(['sent', 'sent']);
  expect(seen).toEqual(Array(2).fill({ secure: true, user: 'lucia', text: 'Subject: hi\r\n\r\n.hello\r\n' }));
});

test('a certificate that nobody vouches for is rejected', async () => {
  const { seen, port } = await openServer({ authOptional: true });
  const results = await sendTo(`smtp://127.0.0.1:${port}`);

  expect(results).toMatchObject([
    { state: 'unsent', text: expect.stringContaining('certificate') },
    { state: 'unsent' },
  ]);
  expect(seen).toEqual([]);
});

test('a wrong password is no reason to give an email up', async () => {
  const { seen, port } = await openServer();
  const results = await sendTo(`smtp://lucia:wrong@127.0.0.1:${port}?${TRUSTING}`);

  expect(results).toMatchObject([{ state: 'unsent', text: expect.stringContaining('535') }, { state: 'unsent' }]);
  expect(seen).toEqual([]);
});

test('no password is sent to a server whose STARTTLS was taken away', async () => {
  const peer = await openPeer({ offers: ['AUTH PLAIN LOGIN', 'PIPELINING'] });
  opened.push(() => peer.close());
  const results = await sendTo(`smtp://lucia:secret@127.0.0.1:${peer.port}?requireTLS=true`);

  expect(results).toMatchObject([
    { state: 'unsent', text: 'the mail server does not offer STARTTLS' },
    { state: 'unsent' },
  ]);
  expect(peer.commands.filter((line) => !line.startsWith('EHLO'))).toEqual([]);
});

test('answers that were put before the TLS handshake end the connection', async () => {
  const peer = await openPeer({
    offers: ['STARTTLS'],
    answer: ({ line }) => (line === 'STARTTLS' ? '220 go\r\n250-peer.example\r\n250 AUTH PLAIN' : undefined),
  });
  opened.push(() => peer.close());
  const results = await sendTo(`${peer.url}?requireTLS=true`);

  expect(results.map(({ state }) => state)).toEqual(['unsent', 'unsent']);
  expect(peer.commands.filter((line) => !/^(?:EHLO|STARTTLS)/.test(line))).toEqual([]);
});
