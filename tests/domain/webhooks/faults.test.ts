import type { ServerResponse } from 'node:http';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes as episodeRows } from '~/db/schema/episodes';
import { outbox } from '~/db/schema/notifications';
import { webhookDeliveries, webhookEndpoints } from '~/db/schema/webhooks';
import { DAYS, later, MINUTES, SECONDS } from '~/server/base/time';
import { eraseWebhooks } from '~/server/domain/webhooks/erase-webhooks';
import { SELECT_DUE } from '~/server/domain/webhooks/lease-deliveries';
import { DELIVERY_LIMITS } from '~/server/limits/webhooks';
import { webhookStage } from './webhook-stage';

const stage = await webhookStage({ limits: { headersMs: MINUTES(1), wholeMs: MINUTES(1) } });
const { clock, db, lucia, make, podcast, episodes, create, deliver, at, typesAt, status, answers, pauseAt } = stage;
const { deliveriesOf, endpointRow } = stage;
const base = clock.now;
const rename = (name: string, id = episodes.podcast.public.id) =>
  db.update(episodeRows).set({ name }).where(eq(episodeRows.id, id));
/** Deletes all endpoints, so that no delivery of an earlier test is in the way. */
const clear = () => db.delete(webhookEndpoints);
const idsAt = (path: string) => at(path).map(({ body }) => JSON.parse(body).data.id as number);

test('a worker that is killed before it sends, or before it records, loses no event', async () => {
  await clear();
  const { id, path } = await create(['episode.updated']);
  await rename('Killed');

  // workers that stop where they are, until others have taken over
  const before = deliver();
  const first = pauseAt('webhooks.leased');
  await first.reachedBy(before);
  await deliver();
  expect(at(path)).toHaveLength(0);
  clock.now = later(base, DELIVERY_LIMITS.lease);
  const sent = pauseAt('webhooks.sent');
  const after = deliver();
  await sent.reachedBy(after);
  expect(at(path)).toHaveLength(1);
  await deliver();
  expect(at(path)).toHaveLength(1);
  clock.now = later(base, 2 * DELIVERY_LIMITS.lease);
  await deliver();

  expect(at(path)).toHaveLength(2);
  expect(at(path)[0]!.headers['webhook-id']).toBe(at(path)[1]!.headers['webhook-id']);
  expect(await deliveriesOf(id)).toMatchObject([{ state: 'delivered', attempts: 1, lease: 3 }]);
  // the worker that comes back records nothing: it has lost its lease
  sent.goOn();
  await after;
  first.goOn();
  await before;
  expect(await deliveriesOf(id)).toMatchObject([{ state: 'delivered', attempts: 1, lease: 3 }]);
  clock.now = base;
});

test('events of one object arrive in their order in spite of failures, and block no other object', async () => {
  await clear();
  const { path } = await create();
  const other = episodes.podcast.onHold.id;
  status(path, 500);
  await rename('One');
  await deliver();
  await rename('Two', other);
  await lucia.api.episodes.hold({ id: episodes.podcast.public.id, kind: 'podcast' });
  answers.delete(path);
  await deliver();
  expect(idsAt(path)).toEqual([episodes.podcast.public.id, other]);

  clock.now = later(base, SECONDS(5));
  await lucia.api.episodes.release({ id: episodes.podcast.public.id, kind: 'podcast' });
  await deliver();

  expect(typesAt(path).slice(2)).toEqual(['episode.updated', 'episode.updated', 'episode.published']);
  expect(idsAt(path).slice(2)).toEqual(Array(3).fill(episodes.podcast.public.id));
  clock.now = base;
});

test('a delivery that waits behind another one is not due, so that the job is not started for it', async () => {
  await clear();
  const { id, path } = await create(['episode.updated']);
  status(path, 500);
  await rename('First');
  await deliver();
  await rename('Second');
  await deliver();

  const rows = await deliveriesOf(id);
  expect(rows.map(({ dueAt }) => dueAt)).toEqual(Array(2).fill(later(base, SECONDS(5))));
  expect(await db.execute(SELECT_DUE.replace('now()', `'${base.toISOString()}'`))).toHaveLength(0);
  await lucia.api.webhooks.switch({ endpointId: id, isOn: false });
  clock.now = later(base, SECONDS(5));
  await deliver();
  expect(await db.execute(SELECT_DUE.replace('now()', `'${later(base, DAYS(99)).toISOString()}'`))).toHaveLength(0);
  expect(at(path)).toHaveLength(1);

  await lucia.api.webhooks.switch({ endpointId: id, isOn: true });
  answers.delete(path);
  await deliver();
  expect(at(path)).toHaveLength(3);
  clock.now = base;
});

test('slow endpoints delay nobody else: they fill a part of the places only', async () => {
  await clear();
  const held: ServerResponse[] = [];
  const slow = [await create(['episode.updated']), await create(['episode.updated'])];
  const quick = await create(['episode.updated']);
  const drafts = await db
    .select()
    .from(episodeRows)
    .where(eq(episodeRows.creatorId, lucia.creatorId))
    .orderBy(episodeRows.id);
  const fails = { failingSince: base };
  await db.update(webhookEndpoints).set(fails).where(eq(webhookEndpoints.id, slow[1]!.id));
  for (const { path } of slow) answers.set(path, (res) => held.push(res));
  const more = DELIVERY_LIMITS.perEndpoint + 2 - drafts.length;
  for (let i = 0; i < more; i++) drafts.push((await make.draft(lucia, podcast)) as never);
  for (const { id } of drafts) await rename(`Slow ${id}`, id);

  const delivering = deliver();
  await expect.poll(() => at(quick.path).length).toBe(drafts.length);
  await expect.poll(() => held.length).toBe(DELIVERY_LIMITS.perEndpoint + DELIVERY_LIMITS.perFailingEndpoint);

  // all of the quick one are recorded although the others have no answer yet
  await expect.poll(async () => (await deliveriesOf(quick.id)).every(({ state }) => state === 'delivered')).toBe(true);
  expect(at(slow[1]!.path)).toHaveLength(DELIVERY_LIMITS.perFailingEndpoint);
  for (const { path } of slow) answers.delete(path);
  for (const res of held) res.writeHead(204).end();
  await delivering;
  for (const { id } of slow) expect((await deliveriesOf(id)).every(({ state }) => state === 'delivered')).toBe(true);
});

test('410 switches an endpoint off at once, and its owner gets an email', async () => {
  await clear();
  const { id, path } = await create(['episode.updated']);
  status(path, 410);
  await rename('Gone');
  await deliver();

  expect(await endpointRow(id)).toMatchObject({ disabledFor: 'gone', disabledAt: base });
  const emails = await db.select().from(outbox).where(eq(outbox.topic, 'webhook_gone')).orderBy(outbox.id);
  expect(emails).toMatchObject([{ userId: lucia.id, to: lucia.email }]);
  expect(emails[0]!.text).toContain(`/profile/developers/webhooks?endpoint=${id}`);
  expect(emails[0]!.text).not.toContain(path);
});

test('five days of failures only switch an endpoint off; one success before that starts them again', async () => {
  await clear();
  const { id, path } = await create(['episode.updated']);
  const failAt = async (time: Date, code: number) => {
    clock.now = time;
    status(path, code);
    await rename(`Failure ${time.getTime()}`);
    await db.update(webhookDeliveries).set({ dueAt: base }).where(eq(webhookDeliveries.state, 'waiting'));
    await deliver();
  };
  await failAt(base, 500);
  await failAt(later(base, DAYS(4)), 204);
  await failAt(later(base, DAYS(5)), 500);
  await failAt(later(base, DAYS(9)), 500);
  expect(await endpointRow(id)).toMatchObject({ disabledAt: null, failingSince: later(base, DAYS(5)) });

  await failAt(later(base, DAYS(10)), 500);

  expect(await endpointRow(id)).toMatchObject({ disabledFor: 'failing' });
  const emails = await db.select().from(outbox).where(eq(outbox.topic, 'webhook_failing')).orderBy(outbox.id);
  expect(emails).toHaveLength(1);
  clock.now = base;
});

test('an endpoint that is deleted while its messages are on their way keeps nothing', async () => {
  await clear();
  const { id, path } = await create(['episode.updated']);
  await rename('Deleted');
  const sent = pauseAt('webhooks.sent');
  const delivering = deliver();
  await sent.reachedBy(delivering);
  await lucia.api.webhooks.remove({ endpointId: id });
  sent.goOn();
  await delivering;

  expect(at(path)).toHaveLength(1);
  expect(await deliveriesOf(id)).toEqual([]);
});

test('a test event and a redelivery reach one endpoint, marked and with the id of the first message', async () => {
  await clear();
  const { id, path } = await create(['show.created']);
  const other = await create();
  await lucia.api.webhooks.test({ endpointId: id, type: 'episode.published' });
  await deliver();
  const [{ id: deliveryId } = { id: 0 }] = await deliveriesOf(id);
  await lucia.api.webhooks.redeliver({ endpointId: id, deliveryId });
  await deliver();

  const [first, again] = at(path);
  expect(JSON.parse(first!.body)).toMatchObject({ type: 'episode.published', test: true });
  expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(again!.body).toBe(first!.body);
  expect(at(other.path)).toEqual([]);
  const foreign = await deliveriesOf(other.id);
  expect(foreign).toEqual([]);
  await expect(lucia.api.webhooks.redeliver({ endpointId: other.id, deliveryId })).rejects.toThrow(
    'webhook.delivery_not_found',
  );
  await lucia.api.webhooks.switch({ endpointId: id, isOn: false });
  await expect(lucia.api.webhooks.test({ endpointId: id, type: 'show.created' })).rejects.toThrow(
    'webhook.switched_off',
  );
});

test('the account of a deleted creator keeps no endpoint and no event', async () => {
  const owner = await make.creator();
  await owner.api.webhooks.create({ url: 'https://hooks.example/x', events: [] });
  await make.product(owner, { name: 'Left' });
  await eraseWebhooks(stage.ctx, { userId: owner.id });

  expect(await db.$count(webhookEndpoints, eq(webhookEndpoints.creatorId, owner.creatorId))).toBe(0);
  expect(await stage.eventsOf(owner.creatorId, ['show.created'])).toEqual([]);
});

test('a fault of ours keeps the event, and the next job sends those of others', async () => {
  await clear();
  const broken = await create(['episode.updated']);
  const other = await create(['episode.updated']);
  await db.update(webhookEndpoints).set({ sealedSecret: 'broken' }).where(eq(webhookEndpoints.id, broken.id));

  await rename('Broken');
  await deliver();
  await deliver();

  expect(at(other.path)).toHaveLength(1);
  expect(await deliveriesOf(broken.id)).toMatchObject([{ state: 'waiting', attempts: 0, lease: 1 }]);
});
