import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createBulkSender } from '~/server/adapters/mail/bulk/bulk-sender';
import { UnsafeHeader } from '~/server/adapters/mail/bulk/header-values';
import type { BulkMessage, BulkResult } from '~/server/adapters/mail/bulk/message';
import { ALL_OFFERS, openPeer, type PeerAnswer, type PeerEvent } from './smtp-peer';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** Numbers between 0 and 1 that are the same in each run. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const message = (i: number, domain = `d${i}.example`): BulkMessage => ({
  id: String(i),
  from: 'bounces@altavoz.example',
  to: `r${i}@${domain}`,
  bytes: () => Buffer.from(`Subject: ${i}\r\n\r\n.${'hello\r\n'.repeat(i % 50)}\r\n`),
});

/** A server that refuses, defers, closes and loses connections at any step. */
function hostileAnswer(seed: number): (event: PeerEvent) => PeerAnswer {
  const next = chances(seed);
  return ({ step }) => {
    const chance = next();
    if (step === 'greeting') return chance < 0.05 ? '421 busy' : undefined;
    if (step === 'quit' || step === 'ehlo') return undefined;
    if (chance < 0.002) return 'drop';
    if (chance < 0.004) return '421-4.7.0 too\r\n421 4.7.0 much';
    if (step === 'rcpt' && chance < 0.03) return '550 5.1.1 nobody here';
    if (step === 'rcpt' && chance < 0.05) return '451 4.3.0 later';
    if (step !== 'end') return undefined;
    if (chance < 0.008) return 'keep and drop';
    if (chance < 0.012) return '554 5.7.1 no';
    if (chance < 0.016) return '452-4.3.1 full\r\n452 4.3.1 disk';
    return undefined;
  };
}

const EACH = 5000;
test.each<[string, string[], number | undefined]>([
  ['nothing', [], undefined],
  ['PIPELINING', ['PIPELINING', 'SIZE 100000'], undefined],
  ['PIPELINING, and reads slowly', ['PIPELINING', '8BITMIME'], 100],
  ['PIPELINING and CHUNKING', ALL_OFFERS, undefined],
])(
  'of 20,000 emails to hostile servers none is lost and none sent twice: one that offers %s',
  async (_, offers, sip) => {
    const peer = await openPeer({ offers, answer: hostileAnswer(offers.length + 1), sip });
    const sender = createBulkSender({ url: peer.url, connections: 4, pauseMs: 1 });
    opened.push(peer, sender);
    const final = new Map<string, BulkResult>();
    let missing = Array.from({ length: EACH }, (_one, i) => message(i));
    while (missing.length > 0) {
      const returned: BulkResult[] = [];
      await sender.send(missing, (batch) => void returned.push(...batch));
      for (const result of returned.filter(({ state }) => state !== 'unsent')) {
        expect(final.has(result.id)).toBe(false);
        final.set(result.id, result);
      }
      expect(returned.map(({ id }) => id).sort()).toEqual(missing.map(({ id }) => id).sort());
      missing = missing.filter(({ id }) => !final.has(id));
    }
    const copies = new Map<string, number>();
    for (const { to } of peer.kept) copies.set(to, (copies.get(to) ?? 0) + 1);
    const wrong = [...final.values()].filter(({ id, state }) => {
      const count = copies.get(message(Number(id)).to) ?? 0;
      return state === 'sent' ? count !== 1 : state === 'unknown' ? count > 1 : count !== 0;
    });
    const seen = new Set([...final.values()].map(({ state }) => state));

    expect(wrong).toEqual([]);
    expect(final.size).toBe(EACH);
    expect([...seen].sort()).toEqual(['bounced', 'deferred', 'sent', 'unknown']);
    expect(
      peer.kept.every(({ to, bytes }) => bytes.toString().startsWith(`Subject: ${to.match(/\d+/)![0]}\r\n\r\n.`)),
    ).toBe(true);
  },
);

test('a domain that asks for fewer emails delays no other, and its emails return with the time to wait', async () => {
  let refused = 0;
  const peer = await openPeer({
    offers: ALL_OFFERS,
    answer: ({ step, to }) =>
      step === 'end' && to.endsWith('@slow.example') && refused++ < 1 ? '450 4.7.1 slowly' : undefined,
  });
  const sender = createBulkSender({ url: peer.url, connections: 1, patienceMs: 0 });
  opened.push(peer, sender);
  const all = Array.from({ length: 300 }, (_, i) => message(i, i % 30 === 0 ? 'slow.example' : 'fast.example'));
  const results: BulkResult[] = [];
  await sender.send(all, (batch) => void results.push(...batch));
  const slow = results.filter(({ id }) => Number(id) % 30 === 0);

  expect(results).toHaveLength(300);
  expect(results.filter(({ state }) => state === 'sent').length).toBeGreaterThanOrEqual(270);
  expect(slow.some(({ state }) => state === 'deferred')).toBe(true);
  expect(slow.filter(({ state }) => state === 'unsent').every(({ retryInMs }) => retryInMs! > 0)).toBe(true);
});

test('emails return from a server that is away, however late a pause between two connections ends', async () => {
  const peer = await openPeer({ answer: ({ step }) => (step === 'greeting' ? 'drop' : undefined) });
  opened.push(peer);
  let at = 1000;
  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => clock.mockRestore());

  // the time goes on with each look at the clock: every pause ends between two of them sooner or later
  for (const step of [0.1, 0.2, 0.3, 0.4, 0.6, 0.9]) {
    clock.mockImplementation(() => (at += step));
    const sender = createBulkSender({ url: peer.url, connections: 1, pauseMs: 1 });
    opened.push(sender);
    const returned: BulkResult[] = [];
    await sender.send([message(1)], (batch) => void returned.push(...batch));
    expect(returned).toMatchObject([{ id: '1', state: 'unsent' }]);
  }
});

test('results that can not be stored stop the sending, and are passed on once more', async () => {
  const peer = await openPeer({ offers: ALL_OFFERS });
  const sender = createBulkSender({ url: peer.url, connections: 1 });
  opened.push(peer, sender);
  const all = Array.from({ length: 5000 }, (_, i) => message(i));
  const stored: BulkResult[] = [];
  let failures = 1;
  await sender.send(all, (batch) => {
    if (failures-- > 0) throw new Error('no database');
    stored.push(...batch);
  });
  const sent = stored.filter(({ state }) => state === 'sent');

  expect(stored.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(all.map(({ id }) => Number(id)));
  expect(sent.map(({ id }) => id).sort()).toEqual(peer.kept.map(({ to }) => to.match(/\d+/)![0]).sort());
  expect(sent.length).toBeLessThan(5000);
  await expect(sender.send([message(1)], () => Promise.reject(new Error('still none')))).rejects.toThrow('still none');
});

test('closing waits for the answers about emails that are sent, and returns the others', async () => {
  const peer = await openPeer({ offers: ALL_OFFERS });
  const sender = createBulkSender({ url: peer.url, connections: 2 });
  opened.push(peer);
  const all = Array.from({ length: 20_000 }, (_, i) => message(i));
  const results: BulkResult[] = [];
  const sending = sender.send(all, (batch) => void results.push(...batch));
  await expect.poll(() => peer.kept.length).toBeGreaterThan(10);
  await sender.close();
  await sending;
  const sent = results.filter(({ state }) => state === 'sent');

  expect(results).toHaveLength(20_000);
  expect(sent).toHaveLength(peer.kept.length);
  expect(results.filter(({ state }) => state === 'unsent')).toHaveLength(20_000 - sent.length);
  await expect.poll(() => peer.isUnused()).toBe(true);
  const late: BulkResult[] = [];
  await sender.send([message(1)], (batch) => void late.push(...batch));
  expect(late).toMatchObject([{ state: 'unsent' }]);
});

test('a message with an unsafe header is bounced, one that can not be signed returns, and the others are sent', async () => {
  const peer = await openPeer();
  const sender = createBulkSender({ url: peer.url });
  opened.push(peer, sender);
  const broken = { ...message(1), bytes: () => Promise.reject(new Error('no key')) };
  const thrown: BulkMessage = {
    ...message(2),
    bytes() {
      throw new UnsafeHeader('unsafe');
    },
  };
  const results: BulkResult[] = [];
  await sender.send([broken, message(3), thrown, message(4)], (batch) => void results.push(...batch));

  expect(results.sort((a, b) => Number(a.id) - Number(b.id))).toMatchObject([
    { id: '1', state: 'unsent', text: 'no key' },
    { id: '2', state: 'bounced', status: '5.6.0', text: 'unsafe' },
    { id: '3', state: 'sent' },
    { id: '4', state: 'sent' },
  ]);
});

test('a large email is sent to a server that reads slowly', async () => {
  const peer = await openPeer({ offers: ALL_OFFERS, sip: 1 });
  const sender = createBulkSender({ url: peer.url, connections: 1 });
  opened.push(peer, sender);
  const text = `Subject: a\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(30_000)}`;
  const results: BulkResult[] = [];
  await sender.send(
    [{ ...message(1), bytes: () => Buffer.from(text) }, message(2)],
    (batch) => void results.push(...batch),
  );

  expect(results.map(({ state }) => state)).toEqual(['sent', 'sent']);
  expect(peer.kept[0]!.bytes.toString() === text).toBe(true);
});

test('no emails: nothing happens', async () => {
  const sender = createBulkSender({ url: 'smtp://127.0.0.1:1' });
  await sender.send([], () => Promise.reject(new Error('never')));
  await sender.close();
});
