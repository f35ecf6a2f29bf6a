import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import '../support/matchers';
import { grants } from '~/db/schema/access';
import { outbox } from '~/db/schema/notifications';
import { DAYS, earlier, later } from '~/server/base/time';
import { completeFreeConversion, recoverFreeConversions } from '~/server/domain/access/free-conversion';
import { renderFeed } from '~/server/doors/feeds/feeds';
import { completeConversion } from '~/server/queue/jobs/products';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import type { Person } from '../support/make';

const { runtime, clock, lucia, ada, tom, visitor, make } = await cast();
const { db } = runtime;
const START = clock.now;

type Show = { id: number; kind: 'podcast' | 'audio_series'; slug: string };
const ref = ({ id, kind }: Show) => ({ id, kind });
const address = ({ slug }: Show) => ({ domain: lucia.domain, slug });
const grant = (show: Show, to: Person, over: Partial<typeof grants.$inferInsert> = {}) =>
  db.insert(grants).values({
    userId: to.id,
    productId: show.id,
    source: 'subscription',
    startsAt: earlier(START, DAYS(1)),
    endsAt: later(START, DAYS(30)),
    renews: true,
    ...over,
  });
const grantsOf = (show: Show) => db.select().from(grants).where(eq(grants.productId, show.id)).orderBy(grants.id);
const paidShow = (over: Parameters<typeof make.product>[1] = {}) => make.product(lucia, { priceMinor: 500, ...over });
const ctxOfJob = () => systemCtx(runtime, completeConversion.name);
const complete = ({ id }: Show) => completeFreeConversion(ctxOfJob(), { productId: id });
const emailsAbout = (show: { name: string }) =>
  db.$count(outbox, and(eq(outbox.topic, 'show_became_free'), eq(outbox.subject, `${show.name} is free now`)));

test.each(['podcast', 'audio_series'] as const)('an archived %s is hidden until it is shown again', async (kind) => {
  const show = await paidShow({ kind, priceMinor: null, slug: `shelf-${kind.length}` });
  const [episode] = await make.episodes(show, 1);
  await lucia.api.products.update({ ...ref(show), slug: `drawer-${kind.length}` });
  const now = { ...show, slug: `drawer-${kind.length}` };
  const { name } = await lucia.api.products.forEditing(ref(show));
  const outcomes = () =>
    Promise.all([
      visitor.products.get(ref(show)).then(
        () => 'shown',
        () => 'hidden',
      ),
      visitor.pages.product({ ...address(show), page: 1 }).then(
        () => 'shown',
        () => 'hidden',
      ),
      visitor.pages.product({ ...address(now), page: 1 }).then(
        () => 'shown',
        () => 'hidden',
      ),
      visitor.pages.address({ type: 'product', id: show.id }).then(
        () => 'shown',
        () => 'hidden',
      ),
      visitor.episodes.get({ id: episode!.id }).then(
        () => 'shown',
        () => 'hidden',
      ),
      visitor.listening.url({ id: episode!.id, kind }).then(
        () => 'shown',
        () => 'hidden',
      ),
      visitor.episodes.list({ productId: show.id, kind }).then(
        () => 'shown',
        () => 'hidden',
      ),
      renderFeed(runtime, { domain: lucia.domain, slug: now.slug }).then(({ status }) =>
        status === 200 ? 'shown' : 'hidden',
      ),
      visitor.pages.creator({ domain: lucia.domain }).then((page) => {
        const found = page.moved === null && page.products.some(({ id }) => id === show.id);
        return found ? 'shown' : 'hidden';
      }),
      visitor.pages
        .discover({ pageSize: 100 })
        .then(({ items }) => (items.some(({ id }) => id === show.id) ? 'shown' : 'hidden')),
    ]);
  const before = await outcomes();

  await lucia.api.products.archive(ref(show));
  const archived = await outcomes();
  const own = [await lucia.api.products.list({}), await lucia.api.products.list({ archived: true })];
  await lucia.api.products.unarchive(ref(show));

  expect([new Set(before), new Set(archived), await outcomes()]).toEqual([
    new Set(['shown']),
    new Set(['hidden']),
    before,
  ]);
  expect(own.map(({ items }) => items.some(({ id }) => id === show.id))).toEqual([false, true]);
  expect(name).toBe(show.name);
});

test('listeners who paid for an archived show still hear it, and no one else does', async () => {
  const show = await paidShow({ slug: 'attic' });
  const [episode] = await make.episodes(show, 1, () => ({ type: 'private' }));
  await grant(show, tom);
  await lucia.api.products.archive(ref(show));

  await expect(tom.api.products.get(ref(show))).resolves.toMatchObject({ id: show.id });
  await expect(tom.api.listening.url({ id: episode!.id, kind: 'podcast' })).resolves.toMatchObject({
    url: expect.any(String),
  });
  await expect(ada.api.products.get(ref(show))).toFailWith('product.not_found');
  await expect(ada.api.listening.url({ id: episode!.id, kind: 'podcast' })).toFailWith('episode.not_found');
});

test('a show with paying listeners is not deleted, and one whose grants have ended is', async () => {
  const [subscribed, bought, ended] = [await paidShow(), await paidShow({ kind: 'audio_series' }), await paidShow()];
  await grant(subscribed, tom);
  await grant(bought, tom, { source: 'purchase', endsAt: null, renews: false });
  await grant(ended, tom, { endsAt: earlier(START, DAYS(0)) });
  await grant(ended, ada, { source: 'follow', endsAt: null });

  for (const show of [subscribed, bought])
    await expect(lucia.api.products.retire(ref(show))).toFailWith('product.has_buyers');
  await expect(lucia.api.products.retire(ref(ended))).resolves.toBeUndefined();
});

test('a typed name must be the show’s, and of two deletions at once the second finds nothing', async () => {
  const show = await make.product(lucia, { name: 'Él y ella' });

  await expect(lucia.api.products.retire({ ...ref(show), confirmation: 'Ella' })).toFailWith('product.other_name');
  await expect(lucia.api.products.retire({ ...ref(show), confirmation: '' })).toFailWith('product.other_name');
  const both = [1, 2].map(() => lucia.api.products.retire({ ...ref(show), confirmation: ' él Y ella ' }));
  const outcomes = await Promise.allSettled(both);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a show without subscribers becomes free at once', async () => {
  const show = await paidShow({ annualPriceMinor: 5000 });

  await lucia.api.products.startFreeConversion(ref(show));

  await expect(visitor.products.get(ref(show))).resolves.toMatchObject({ isFree: true, annualPriceMinor: null });
  await expect(lucia.api.products.startFreeConversion(ref(show))).toFailWith('product.already_free');
});

test('a show with subscribers waits for the last one to end, and then becomes free once', async () => {
  const show = await paidShow({ name: 'Waiting' });
  await grant(show, tom);
  await grant(show, ada, { endsAt: later(START, DAYS(10)) });

  await lucia.api.products.startFreeConversion(ref(show));
  await lucia.api.products.startFreeConversion(ref(show));
  const begun = await lucia.api.products.freeConversion(ref(show));
  const early = await complete(show);
  const priced = lucia.api.products.update({ ...ref(show), price: '9.00' });
  await expect(priced).toFailWith('product.becoming_free');
  clock.now = later(START, DAYS(11));
  const middle = await lucia.api.products.freeConversion(ref(show));
  clock.now = later(START, DAYS(30));
  const [outcomes] = [await Promise.all([complete(show), complete(show)])];
  clock.now = START;

  expect(begun).toMatchObject({ subscribers: 2, subscribersAtStart: 2, lastEnd: later(START, DAYS(30)) });
  expect((await grantsOf(show)).map(({ renews }) => renews)).toEqual([false, false]);
  expect([early, middle.subscribers, middle.subscribersAtStart]).toEqual([false, 1, 2]);
  expect(outcomes.sort()).toEqual([false, true]);
  expect(await visitor.products.get(ref(show))).toMatchObject({ isFree: true });
  expect(await emailsAbout(show)).toBe(1);
});

test('calling it off lets those renew whose renewal it had stopped, and no others', async () => {
  const show = await paidShow();
  await grant(show, tom);
  await grant(show, ada, { renews: false });
  await lucia.api.products.startFreeConversion(ref(show));

  await lucia.api.products.callOffFreeConversion(ref(show));

  expect((await grantsOf(show)).map(({ renews, renewalStoppedAt }) => [renews, renewalStoppedAt])).toEqual([
    [true, null],
    [false, null],
  ]);
  await expect(lucia.api.products.callOffFreeConversion(ref(show))).toFailWith('product.not_becoming_free');
  clock.now = later(START, DAYS(31));
  expect(await complete(show)).toBe(false);
  clock.now = START;
  await expect(lucia.api.products.update({ ...ref(show), price: '6.00' })).resolves.toMatchObject({ priceMinor: 600 });
});

test('a price change and the end of the wait at once leave the show free', async () => {
  const show = await paidShow();
  await grant(show, tom);
  await lucia.api.products.startFreeConversion(ref(show));
  clock.now = later(START, DAYS(31));

  await Promise.allSettled([lucia.api.products.update({ ...ref(show), price: '7.00' }), complete(show)]);
  clock.now = START;

  const { priceMinor } = await visitor.products.get(ref(show));
  expect([null, 700]).toContain(priceMinor);
  const [{ freeConversionAt }] = [await lucia.api.products.forEditing(ref(show))];
  expect(freeConversionAt).toBeNull();
});

test('the schedule completes shows whose job was lost', async () => {
  const show = await paidShow();
  await grant(show, tom);
  await lucia.api.products.startFreeConversion(ref(show));
  const queued = async () => (await runtime.queue.boss.fetch(completeConversion.name, { batchSize: 100 })) ?? [];
  await queued();

  await recoverFreeConversions(ctxOfJob());

  expect((await queued()).map(({ data }) => data)).toContainEqual({ productId: show.id });
});
