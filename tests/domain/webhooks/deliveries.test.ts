import { eq, getTableColumns } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';

import { expect, test, vi } from 'vitest';
import { webhookAttempts, webhookDeliveries } from '~/db/schema/webhooks';
import { HOURS, later, MINUTES, SECONDS } from '~/server/base/time';
import { webhookStage } from './webhook-stage';

const {
  runtime,
  clock,
  db,
  lucia,
  episodes,
  create,
  deliver,
  at,
  typesAt,
  status,
  answers,
  endpointRow,
  deliveriesOf,
  origin,
} = await webhookStage();
const base = clock.now;
const episode = { id: episodes.podcast.public.id, kind: 'podcast' } as const;
const rename = (name: string) => lucia.api.episodes.update({ ...episode, name });

const attemptsOf = (endpointId: string) =>
  db
    .select(getTableColumns(webhookAttempts))
    .from(webhookAttempts)
    .innerJoin(webhookDeliveries, eq(webhookDeliveries.id, webhookAttempts.deliveryId))
    .where(eq(webhookDeliveries.endpointId, endpointId))
    .orderBy(webhookAttempts.deliveryId, webhookAttempts.number);

/** The library compares the time of a message with the clock of the machine. */
function verified(secret: string, { body, headers }: { body: string; headers: object }): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now });
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}

test('an event arrives as the specification says, once, and a program can verify it', async () => {
  const { id, secret, path } = await create(['episode.updated']);

  await rename('Verified');
  await deliver();
  await deliver();

  const [message, ...others] = at(path);
  expect(others).toEqual([]);
  expect(verified(secret!, message!)).toEqual({
    type: 'episode.updated',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: { id: episode.id, show_id: episodes.podcast.public.productId },
  });
  expect(message).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
  expect(await deliveriesOf(id)).toMatchObject([{ state: 'delivered', attempts: 1, settledAt: clock.now }]);
});

test('forged, changed and replayed messages are refused by the verifier', async () => {
  const { secret, path } = await create(['episode.updated']);
  const { secret: other } = await create(['episode.updated']);
  await rename('Forged');
  await deliver();
  const [message] = at(path);

  expect(() => verified(other!, message!)).toThrow();
  expect(() => verified(secret!, { ...message!, body: message!.body.replace('updated', 'deleted') })).toThrow();
  const elsewhere = { ...message!.headers, 'webhook-id': 'msg_other' };
  expect(() => verified(secret!, { ...message!, headers: elsewhere })).toThrow();
  clock.now = later(base, HOURS(1));
  expect(() => verified(secret!, message!)).toThrow(/old/i);
  clock.now = base;
});

test('while a secret is replaced, messages verify with both; a day later only with the new one', async () => {
  const { id, secret, path } = await create(['episode.updated']);
  const { secret: next } = await lucia.api.webhooks.rotateSecret({ endpointId: id });

  await rename('Both');
  await deliver();
  clock.now = later(base, HOURS(24));
  await rename('One');
  await deliver();

  const [both, one] = at(path);
  clock.now = base;
  expect(verified(secret!, both!)).toEqual(verified(next, both!));
  expect(String(one!.headers['webhook-signature']).split(' ')).toHaveLength(1);
  clock.now = later(base, HOURS(24));
  expect(verified(next, one!)).toMatchObject({ type: 'episode.updated' });
  expect(() => verified(secret!, one!)).toThrow();
  clock.now = base;
});

test('a failed delivery is tried again later, each attempt is in the log, and the message keeps its id', async () => {
  const { id, path } = await create(['episode.updated']);
  status(path, 500, 'out of order');

  await rename('Again');
  await deliver();
  await deliver();
  expect(at(path)).toHaveLength(1);
  clock.now = later(base, SECONDS(5));
  status(path, 302);
  await deliver();
  clock.now = later(base, SECONDS(5) + MINUTES(5));
  answers.delete(path);
  await deliver();

  const [first, second, third] = at(path);
  expect(at(path)).toHaveLength(3);
  expect(new Set([first, second, third].map((one) => one!.headers['webhook-id'])).size).toBe(1);
  const { items } = await lucia.api.webhooks.deliveries({ endpointId: id });
  expect(items).toMatchObject([{ state: 'delivered', attempts: [{ status: 500 }, { status: 302 }, { status: 204 }] }]);
  expect(items[0]!.attempts[0]).toMatchObject({ answer: 'out of order', failure: null });
  expect(await endpointRow(id)).toMatchObject({ failingSince: null, disabledAt: null });
  clock.now = base;
});

test('a waiting event that was sent again and arrived is not attempted any more, and what waits behind it is sent', async () => {
  const { id, path } = await create(['episode.updated']);
  status(path, 500);
  await rename('Waiting');
  await deliver();
  await rename('Behind');
  await deliver();
  const log = () => lucia.api.webhooks.deliveries({ endpointId: id });
  const first = (await log()).items.at(-1)!;

  answers.delete(path);
  await lucia.api.webhooks.redeliver({ endpointId: id, deliveryId: first.id });
  await deliver();
  await deliver();
  clock.now = later(base, HOURS(1));
  await deliver();

  const { items } = await log();
  expect(items.map(({ state, isRepeat, attempts }) => [state, isRepeat, attempts.length])).toEqual([
    ['delivered', true, 1],
    ['delivered', false, 1],
    ['delivered', false, 1],
  ]);
  const ids = at(path).map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([first.messageId, first.messageId, items[1]!.messageId]);
  await lucia.api.webhooks.remove({ endpointId: id });
  clock.now = base;
});

test('after its last attempt, a delivery has failed, and those behind it go on', async () => {
  const { id, path } = await create(['episode.updated']);
  status(path, 503);
  await rename('Lost');
  for (let attempt = 1; attempt <= 10; attempt++) {
    await deliver();
    const [{ dueAt } = { dueAt: base }] = await deliveriesOf(id);
    if (dueAt > clock.now) clock.now = dueAt;
  }
  await rename('Next');
  answers.delete(path);
  await deliver();

  expect(await deliveriesOf(id)).toMatchObject([
    { state: 'failed', attempts: 10 },
    { state: 'delivered', attempts: 1 },
  ]);
  clock.now = base;
});

test('the log keeps the first 64 KB of a failure, without what Postgres cannot store, and less of a success', async () => {
  const { id, path } = await create(['episode.updated']);
  const stored = () => attemptsOf(id).then((rows) => rows.map(({ answer }) => answer));
  status(path, 500, `\0é${'x'.repeat(100_000)}`);
  await rename('Long');
  await deliver();

  const [failure] = await stored();
  expect(failure!.startsWith('éxxx')).toBe(true);
  expect(Buffer.byteLength(failure!)).toBe(64_000 - 1);

  status(path, 200, 'y'.repeat(100_000));
  clock.now = later(base, MINUTES(1));
  await deliver();
  expect((await stored())[1]).toBe('y'.repeat(1000));
  clock.now = base;
});

test('only the latest hundred failures of an endpoint are kept whole', async () => {
  const { id, path } = await create(['episode.updated']);
  status(path, 500, 'x'.repeat(2000));
  await rename('Older');
  await deliver();
  const [{ deliveryId } = { deliveryId: 0 }] = await attemptsOf(id);
  const older = Array.from({ length: 100 }, (_, i) => ({
    ...{ deliveryId, number: i + 2, startedAt: later(base, SECONDS(-1 - i)), ms: 1, status: 500 },
    ...{ answer: 'x'.repeat(2000), wholeOf: id },
  }));
  await db.insert(webhookAttempts).values(older);

  clock.now = later(base, MINUTES(1));
  await lucia.api.webhooks.test({ endpointId: id, type: 'show.created' });
  await deliver();

  const rows = await attemptsOf(id);
  const oldest = rows.filter(({ number }) => number > 99).map(({ answer }) => answer.length);
  expect(oldest).toEqual([1000, 1000]);
  expect(rows.filter(({ wholeOf }) => wholeOf === id)).toHaveLength(100);
  await lucia.api.webhooks.remove({ endpointId: id });
  clock.now = base;
});

test('an endpoint without an answer fails with a reason', async () => {
  const { id, path } = await create(['episode.updated']);
  answers.set(path, (res) => res.destroy());

  await rename('Cut');
  await deliver();

  const { items } = await lucia.api.webhooks.deliveries({ endpointId: id });
  expect(items[0]).toMatchObject({
    state: 'waiting',
    attempts: [{ status: null, failure: 'fetch.connection_failed' }],
  });
});

test('events for which an endpoint was not chosen, and those of others, are not sent to it', async () => {
  const { path } = await create(['episode.deleted']);
  const everything = await create();

  await rename('Chosen');
  await lucia.api.products.update({ id: episodes.podcast.public.productId, kind: 'podcast', name: 'Renamed' });
  await deliver();

  expect(at(path)).toEqual([]);
  expect(typesAt(everything.path)).toEqual(['episode.updated', 'show.updated']);
  expect(origin).toContain('127.0.0.1');
  expect(runtime.now()).toEqual(base);
});
