import { afterEach, expect, test } from 'vitest';
import { type BulkSmtpOptions, createBulkSender } from '~/server/adapters/mail/bulk/bulk-sender';
import type { BulkMessage, BulkResult, BulkSender } from '~/server/adapters/mail/bulk/message';
import { ALL_OFFERS, openPeer, type PeerOptions } from './smtp-peer';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const TIMEOUTS = { connectMs: 5000, answerMs: 5000, acceptMs: 5000 };
async function openBoth(peerOptions: PeerOptions, options: Partial<BulkSmtpOptions> = {}) {
  const peer = await openPeer(peerOptions);
  const sender = createBulkSender({ url: peer.url, connections: 1, timeouts: TIMEOUTS, pauseMs: 1, ...options });
  opened.push(peer, sender);
  return { peer, sender };
}
const message = (id: number | string, changes: Partial<BulkMessage> = {}): BulkMessage => ({
  id: String(id),
  from: 'bounces@altavoz.example',
  to: `r${id}@reader.example`,
  bytes: () => Buffer.from(`Subject: ${id}\r\n\r\n.hello\r\n`),
  ...changes,
});
const messages = (count: number) => Array.from({ length: count }, (_, i) => message(i));

async function sendAll(sender: BulkSender, all: BulkMessage[]): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  await sender.send(all, (batch) => void results.push(...batch));
  return results.sort((a, b) => Number(a.id) - Number(b.id));
}
const states = (results: BulkResult[]) => results.map(({ state }) => state);

const KINDS: [name: string, offers: string[]][] = [
  ['nothing', []],
  ['PIPELINING', ['PIPELINING']],
  ['CHUNKING', ['CHUNKING']],
  ['PIPELINING and CHUNKING', ALL_OFFERS],
];

test.each(KINDS)('a server that offers %s gets each email once, unchanged', async (_, offers) => {
  const { peer, sender } = await openBoth({ offers });
  const results = await sendAll(sender, messages(20));

  expect(results).toEqual(
    messages(20).map(({ id }) => ({ id, state: 'sent', code: 250, status: '2.0.0', text: '2.0.0 kept' })),
  );
  expect(peer.kept.map(({ to }) => to)).toEqual(messages(20).map(({ to }) => to));
  expect(peer.kept[7]!.bytes.toString()).toBe('Subject: 7\r\n\r\n.hello\r\n');
  expect(peer.connections()).toBe(1);
});

test.each(KINDS)('rejections are told apart, and the next email is not affected (%s)', async (_, offers) => {
  const { peer, sender } = await openBoth({
    offers,
    answer({ step, to, line }) {
      if (step === 'mail' && line.includes('<bad@')) return '550 5.7.1 not you';
      if (step !== 'rcpt' && step !== 'end') return undefined;
      if (line.includes('r1@')) return '550 5.1.1 nobody here';
      if (line.includes('r2@')) return '451 try later';
      if (line.includes('r3@')) return '552 5.2.2 mailbox full';
      if (line.includes('r4@')) return '550-first\r\n550 second';
      if (step === 'end' && to === 'r5@reader.example') return '554 5.7.1 spam';
      if (step === 'end' && to === 'r6@reader.example') return '450 4.7.1 greylisted';
      return undefined;
    },
  });
  const all = messages(9).map((one) => (one.id === '7' ? { ...one, from: 'bad@altavoz.example' } : one));
  const results = await sendAll(sender, all);

  expect(results.map(({ id, text, ...result }) => result)).toEqual([
    { state: 'sent', code: 250, status: '2.0.0' },
    { state: 'bounced', code: 550, status: '5.1.1', isHard: true },
    { state: 'deferred', code: 451 },
    { state: 'bounced', code: 552, status: '5.2.2', isHard: false },
    { state: 'bounced', code: 550, isHard: true },
    { state: 'bounced', code: 554, status: '5.7.1', isHard: false },
    { state: 'deferred', code: 450, status: '4.7.1' },
    { state: 'bounced', code: 550, status: '5.7.1', isHard: false },
    { state: 'sent', code: 250, status: '2.0.0' },
  ]);
  expect(peer.kept.map(({ to }) => to)).toEqual(['r0@reader.example', 'r8@reader.example']);
});

test('an email whose data got no answer is unknown, and the one behind it is sent', async () => {
  const { peer, sender } = await openBoth({
    offers: ['PIPELINING'],
    answer: ({ step, to }) => (step === 'end' && to.startsWith('r3@') ? 'keep and drop' : undefined),
  });
  const results = await sendAll(sender, messages(6));

  expect(states(results)).toEqual(['sent', 'sent', 'sent', 'unknown', 'sent', 'sent']);
  expect(peer.kept.map(({ to }) => to)).toEqual(messages(6).map(({ to }) => to));
  expect(peer.connections()).toBe(2);
});

test('with CHUNKING, the emails in flight are unknown if the connection is lost, and no others', async () => {
  let drops = 1;
  const { peer, sender } = await openBoth({
    offers: ALL_OFFERS,
    answer: ({ step, to }) => (step === 'end' && to.startsWith('r3@') && drops-- > 0 ? 'drop' : undefined),
  });
  const results = await sendAll(sender, messages(20));
  const unknown = results.filter(({ state }) => state === 'unknown').map(({ id }) => `r${id}@reader.example`);

  expect(states(results).slice(0, 3)).toEqual(['sent', 'sent', 'sent']);
  expect(unknown).toContain('r3@reader.example');
  expect(unknown.length).toBeLessThanOrEqual(4);
  expect(results.filter(({ state }) => state === 'sent')).toHaveLength(20 - unknown.length);
  expect(peer.kept.filter(({ to }) => unknown.includes(to))).toEqual([]);
});

test.each(['rcpt', 'data', 'mail'] as const)('a connection lost before the data is tried again (%s)', async (where) => {
  let drops = 2;
  const { peer, sender } = await openBoth({
    offers: ['PIPELINING'],
    answer: ({ step }) => (step === where && peer.kept.length === 2 && drops-- > 0 ? 'drop' : undefined),
  });
  const results = await sendAll(sender, messages(5));

  expect(states(results)).toEqual(Array(5).fill('sent'));
  expect(peer.kept.map(({ to }) => to).sort()).toEqual(messages(5).map(({ to }) => to));
  expect(peer.connections()).toBe(3);
});

test.each(KINDS)(
  '421 in the middle defers one email and sends the rest over another connection (%s)',
  async (_, offers) => {
    let times = 1;
    const { peer, sender } = await openBoth(
      {
        offers,
        answer: ({ step, line }) =>
          step === 'rcpt' && line.includes('r3@') && times-- > 0 ? '421 4.7.0 too much' : undefined,
      },
      { patienceMs: 0 },
    );
    const all = messages(9).map((one, i) => ({ ...one, to: `r${i}@d${i}.example` }));
    const results = await sendAll(sender, all);

    expect(states(results)).toEqual(all.map((_one, i) => (i === 3 ? 'deferred' : 'sent')));
    expect(peer.kept.map(({ to }) => to).sort()).toEqual(all.filter((_one, i) => i !== 3).map(({ to }) => to));
  },
);

test('421 before an email is about the connection, so the email is sent over another', async () => {
  let times = 1;
  const { sender, peer } = await openBoth({
    offers: ALL_OFFERS,
    answer: ({ step }) => (step === 'mail' && peer.kept.length === 2 && times-- > 0 ? '421 bye' : undefined),
  });
  const results = await sendAll(sender, messages(7));

  expect(states(results)).toEqual(Array(7).fill('sent'));
  expect(peer.kept).toHaveLength(7);
});

test.each<[string, PeerOptions['answer']]>([
  ['greets with 554', ({ step }) => (step === 'greeting' ? '554 go away' : undefined)],
  ['closes at once', ({ step }) => (step === 'greeting' ? 'drop' : undefined)],
  ['rejects EHLO and HELO', ({ step }) => (step === 'ehlo' ? '550 no' : undefined)],
  ['closes after EHLO', ({ step }) => (step === 'mail' ? 'drop' : undefined)],
  ['speaks HTTP', ({ step }) => (step === 'greeting' ? 'HTTP/1.1 400 Bad Request' : undefined)],
  ['answers with an endless line', ({ step }) => (step === 'greeting' ? `220 ${'x'.repeat(100_000)}` : undefined)],
  ['answers twice', ({ step }) => (step === 'ehlo' ? '250 ok\r\n250 ok\r\n250 ok' : undefined)],
  ['agrees too early', ({ step }) => (step === 'rcpt' ? '354 go on' : undefined)],
  ['takes the data for a command', ({ step }) => (step === 'data' ? '250 ok' : undefined)],
])('a server that %s gets nothing, and all emails return unsent', async (_, answer) => {
  const { peer, sender } = await openBoth({ offers: ['PIPELINING'], answer });
  const results = await sendAll(sender, messages(30));

  expect(states(results)).toEqual(Array(30).fill('unsent'));
  expect(results[0]!.text).toBeTruthy();
  expect(peer.kept).toEqual([]);
});

test('an unreachable server returns all emails unsent', async () => {
  const { sender, peer } = await openBoth({});
  await peer.close();
  const results = await sendAll(sender, messages(3));

  expect(results.map(({ state, text }) => [state, text])).toEqual(
    Array(3).fill(['unsent', expect.stringContaining('ECONNREFUSED')]),
  );
});

test.each<[string, PeerOptions['answer'], string]>([
  ['the greeting', ({ step }) => (step === 'greeting' ? 'silence' : undefined), 'unsent'],
  ['an envelope', ({ step }) => (['mail', 'rcpt', 'data'].includes(step) ? 'silence' : undefined), 'unsent'],
  ['an email', ({ step }) => (step === 'end' ? 'silence' : undefined), 'unknown'],
])('a server that never answers %s is given up', async (_, answer, state) => {
  const timeouts = { connectMs: 5000, answerMs: state === 'unknown' ? 5000 : 40, acceptMs: 40 };
  const { sender } = await openBoth({ answer }, { timeouts });
  const results = await sendAll(sender, [message(0)]);

  expect(results).toEqual([{ id: '0', state, text: 'the mail server does not answer' }]);
});

test('ten thousand lines of an answer, lines without CR and codes without text are understood', async () => {
  const { sender } = await openBoth({
    offers: ['PIPELINING'],
    answer({ step, to }) {
      if (step === 'mail') return '250';
      if (step !== 'end') return undefined;
      if (to.startsWith('r1@')) return '250-2.0.0 a\n250 2.0.0 b\n250-too';
      return `${'250-2.0.0 words\r\n'.repeat(10_000)}250 2.0.0 end`;
    },
  });
  const [result] = await sendAll(sender, [message(0)]);

  expect(result).toMatchObject({ state: 'sent', status: '2.0.0' });
  expect(result!.text!.length).toBeLessThanOrEqual(500);
});
