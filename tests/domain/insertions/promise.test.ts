import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { campaignClips, insertionCampaigns } from '~/db/schema/insertions';
import { products } from '~/db/schema/products';
import { activity } from '~/db/schema/team';
import { campaignRow, insertClip } from '../../support/campaigns';
import { cast } from '../../support/cast';
import { lockWaits } from '../../support/lock-waits';
import '../../support/matchers';

const { runtime, make, clock, pauseAt } = await cast();
const { db } = runtime;
clock.now = new Date('2026-11-15T12:00:00Z');

const owner = await make.creator({ name: 'Lucía', timeZone: 'Europe/Madrid' });
const show = await make.product(owner, { name: 'Olas', priceMinor: 500 });
await make.episodes(show, 1);
const clip = await insertClip(db, owner.creatorId);
const own = { creatorId: owner.creatorId, productId: show.id };

beforeEach(async () => {
  await db.delete(campaignClips);
  await db.delete(insertionCampaigns);
  await db.update(products).set({ insertionFreeSince: null, priceMinor: 500 }).where(eq(products.id, show.id));
});

const promise = (isPromised = true) => owner.api.campaigns.promise({ productId: show.id, isPromised });
const promised = async () =>
  (await owner.api.products.get({ id: show.id, kind: 'podcast' })).insertionFreeSince?.getTime();
const create = (over: object = {}) =>
  owner.api.campaigns.create({
    ...{ productId: show.id, name: 'Bodegas Mar', clipIds: [clip], place: 'pre', firstDay: '2026-11-20' },
    ...over,
  });
const insert = (over: object) => db.insert(insertionCampaigns).values(campaignRow(own, over));

test('a promise is made once and taken back, and both are in the log', async () => {
  await db.delete(activity);
  await promise();
  const since = clock.now.getTime();
  clock.now = new Date('2026-11-15T13:00:00Z');
  await promise();

  expect(await promised()).toBe(since);

  await promise(false);
  await promise(false);

  expect(await promised()).toBeUndefined();
  expect(await db.select({ action: activity.action }).from(activity).orderBy(activity.id)).toEqual([
    { action: 'product.insertions_promised' },
    { action: 'product.insertions_promise_ended' },
  ]);
});

test('a free show has no subscribers to whom it could promise anything', async () => {
  await db.update(products).set({ priceMinor: null }).where(eq(products.id, show.id));

  await expect(promise()).toFailWith('promise.needs_price');
});

test.each<[string, boolean, object]>([
  ['runs', true, {}],
  ['is scheduled', true, { firstDay: '2026-12-01' }],
  ['is paused', true, { isActive: false }],
  ['is a fallback', true, { kind: 'fallback', firstDay: null }],
  ['is a draft', false, { isComplete: false }],
  ['plays to others', false, { inPrivateFeeds: false }],
  ['was ended', false, { endedAt: new Date('2026-11-14T00:00:00Z') }],
  ['is over', false, { lastDay: '2026-11-14' }],
  ['has reached its maximum', false, { cap: 5, impressions: 5 }],
  ['was deleted', false, { deletedAt: new Date('2026-11-14T00:00:00Z') }],
])('a campaign that %s prevents the promise: %s', async (_, isRefused, over) => {
  await insert(over);

  if (isRefused) await expect(promise()).toFailWith('promise.campaign_plays');
  else await promise();

  expect(await promised()).toBe(isRefused ? undefined : clock.now.getTime());
});

test('after the promise, no campaign can be made for private feeds, nor be changed to play there', async () => {
  await promise();
  await expect(create()).toFailWith('campaign.subscribers_promised');
  await expect(create({ kind: 'fallback', firstDay: undefined })).toFailWith('campaign.subscribers_promised');
  const { id } = await create({ inPrivateFeeds: false });
  const draft = await create({ isDraft: true });

  const values = { name: 'Otra', clipIds: [clip], place: 'post' as const, firstDay: '2026-11-20' };
  for (const one of [id, draft.id])
    await expect(owner.api.campaigns.edit({ id: one, ...values })).toFailWith('campaign.subscribers_promised');

  await promise(false);
  await owner.api.campaigns.edit({ id, ...values });
});

test('of a promise and a campaign at once, the second is refused', async () => {
  const saved = pauseAt('campaign.checked');
  const campaign = create();
  await saved.reachedBy(campaign);
  const late = expect(promise()).toFailWith('promise.campaign_plays');
  await lockWaits(db);
  saved.goOn();
  await Promise.all([campaign, late]);
  await db.delete(campaignClips);
  await db.delete(insertionCampaigns);

  const made = pauseAt('promise.checked');
  const first = promise();
  await made.reachedBy(first);
  const refused = expect(create()).toFailWith('campaign.subscribers_promised');
  await lockWaits(db);
  made.goOn();
  await Promise.all([first, refused]);

  expect(await db.$count(insertionCampaigns)).toBe(0);
  expect(await promised()).toBe(clock.now.getTime());
});
