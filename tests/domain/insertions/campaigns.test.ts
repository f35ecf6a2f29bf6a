import { asc, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { episodes as episodesTable } from '~/db/schema/episodes';
import { campaignClips, campaignEpisodes, clips, clipVersions, insertionCampaigns } from '~/db/schema/insertions';
import { creatorPlans } from '~/db/schema/plans';
import { DAYS, later } from '~/server/base/time';
import { endUnplanned } from '~/server/domain/insertions/end-unplanned';
import { CAMPAIGN_LIMITS } from '~/server/limits/insertions';
import { systemCtx } from '~/server/runtime/runtime';
import { campaignRow, insertClip } from '../../support/campaigns';
import { cast } from '../../support/cast';
import { lockWaits } from '../../support/lock-waits';
import '../../support/matchers';

const { runtime, make, clock, pauseAt } = await cast();
const { db } = runtime;
const NOON = new Date('2026-11-15T12:00:00Z');
clock.now = NOON;
const ctx = systemCtx(runtime, 'insertions.end-unplanned');

const owner = await make.creator({ name: 'Lucía', timeZone: 'Europe/Madrid' });
const other = await make.creator({ name: 'Ada' });
const show = await make.product(owner, { name: 'Olas' });
const second = await make.product(owner, { name: 'Mareas' });
const theirs = await make.product(other, { name: 'Otro' });
const episodes = await make.episodes(show, 3, (i) => ({
  slug: `parte-${i}`,
  releaseAt: new Date(`2026-11-0${i + 1}T10:00:00Z`),
}));
const [strange] = await make.episodes(theirs, 1);
const clip = await insertClip(db, owner.creatorId);
const stranger = await insertClip(db, other.creatorId);

beforeEach(async () => {
  clock.now = NOON;
  await db.delete(campaignClips);
  await db.delete(insertionCampaigns);
});

type Values = Parameters<typeof owner.api.campaigns.create>[0];
const VALUES: Values = {
  ...{ productId: show.id, name: 'Bodegas Mar', clipIds: [clip], place: 'pre' },
  ...{ firstDay: '2026-11-20', lastDay: '2026-11-30' },
};
const create = (over: Partial<Values> = {}, who = owner) => who.api.campaigns.create({ ...VALUES, ...over });
const stored = async (id: number) =>
  (await db.select().from(insertionCampaigns).where(eq(insertionCampaigns.id, id)))[0]!;
const stateAt = async (id: number, at: string) => {
  clock.now = new Date(at);
  return (await owner.api.campaigns.get({ id })).state;
};

test('a campaign is scheduled, runs and ends by the days of the creator’s time zone', async () => {
  const { id } = await create();

  expect(await stateAt(id, '2026-11-19T22:59:59.999Z')).toBe('scheduled');
  expect(await stateAt(id, '2026-11-19T23:00:00Z')).toBe('running');
  expect(await stateAt(id, '2026-11-30T22:59:59.999Z')).toBe('running');
  expect(await stateAt(id, '2026-11-30T23:00:00Z')).toBe('ended');
});

test.each([
  // clocks are set forward: the day has 23 hours
  ['2027-03-28', '2027-03-27T22:59:59Z', '2027-03-27T23:00:00Z', '2027-03-28T21:59:59Z', '2027-03-28T22:00:00Z'],
  // clocks are set back: the day has 25 hours
  ['2027-10-31', '2027-10-30T21:59:59Z', '2027-10-30T22:00:00Z', '2027-10-31T22:59:59Z', '2027-10-31T23:00:00Z'],
])('on %s, when clocks change, a campaign of one day begins and ends at midnight', async (day, ...moments) => {
  const { id } = await create({ firstDay: day, lastDay: day });

  const states = [];
  for (const at of moments) states.push(await stateAt(id, at));

  expect(states).toEqual(['scheduled', 'running', 'running', 'ended']);
});

test('a new campaign has all its values, in their order, and can be edited', async () => {
  const two = await insertClip(db, owner.creatorId, { name: 'Segundo' });
  const chosen = [episodes[2]!.id, episodes[0]!.id];
  const { id } = await create({
    ...{ clipIds: `${two},${clip}` as never, place: 'mid', number: 2, selection: 'chosen', episodeIds: chosen },
    ...{ cap: 500, isPaced: true, inPrivateFeeds: false, countries: ['mx', 'ES', 'es'], silenceBeforeMs: 300 },
  });

  expect(await owner.api.campaigns.get({ id })).toMatchObject({
    ...{ name: 'Bodegas Mar', kind: 'campaign', state: 'scheduled', place: 'mid', number: 2, cap: 500, isPaced: true },
    ...{ inPublicFeed: true, inPrivateFeeds: false, countries: ['ES', 'MX'], silenceBeforeMs: 300, chosen: 2 },
    clips: [
      { id: two, name: 'Segundo' },
      { id: clip, name: 'Anuncio' },
    ],
    episodeIds: chosen.toSorted((a, b) => a - b),
    product: { id: show.id, name: 'Olas' },
  });
  await owner.api.campaigns.edit({ ...VALUES, id, name: 'Otra', lastDay: '2026-12-24' });
  expect(await owner.api.campaigns.get({ id })).toMatchObject({
    ...{ name: 'Otra', place: 'pre', number: 0, cap: null, isPaced: false, inPrivateFeeds: true, countries: [] },
    ...{ episodeIds: [], chosen: 0, lastDay: '2026-12-24', clips: [{ id: clip }] },
  });
});

test('a draft needs a name only, becomes a campaign when it is complete, and never again a draft', async () => {
  const { id } = await owner.api.campaigns.create({ productId: show.id, name: 'Idea', isDraft: true });
  expect(await stateAt(id, '2026-11-15T12:00:00Z')).toBe('draft');
  await expect(owner.api.campaigns.switch({ id, isActive: false })).toFailWith('campaign.incomplete');
  await expect(owner.api.campaigns.edit({ id, name: 'Idea' })).toFailWith('campaign.clip_required');

  await owner.api.campaigns.edit({ ...VALUES, id });
  expect((await owner.api.campaigns.get({ id })).state).toBe('scheduled');
  await expect(owner.api.campaigns.edit({ id, name: 'Idea', isDraft: true })).toFailWith('campaign.clip_required');
});

test('a fallback has neither days nor a cap, and may be where a campaign is', async () => {
  await create({ firstDay: '2026-11-15' });
  const { id } = await create({ kind: 'fallback', cap: 5 });

  expect(await stored(id)).toMatchObject({ firstDay: null, lastDay: null, cap: null, kind: 'fallback' });
  expect((await owner.api.campaigns.get({ id })).state).toBe('running');
});

test.each([
  ['campaign.same_dates', 'the last day of the other one', { firstDay: '2026-11-30', lastDay: '2026-12-10' }],
  ['campaign.same_dates', 'no end', { firstDay: '2026-11-15', lastDay: undefined }],
  ['campaign.same_dates', 'one of its episodes', { selection: 'chosen', episodeIds: [episodes[0]!.id] }],
  [null, 'the day after it', { firstDay: '2026-12-01', lastDay: '2026-12-10' }],
  [null, 'another place', { place: 'post' }],
  [null, 'a mid-roll', { place: 'mid' }],
  [null, 'another show', { productId: second.id }],
] as const)('%s: a second campaign with %s', async (code, _, over) => {
  await create();

  const saving = create(over as Partial<Values>);

  if (code) await expect(saving).toFailWith(code);
  else await expect(saving).resolves.toBeTruthy();
});

test('a campaign whose only clip another one plays before it says so, until that one stops', async () => {
  const first = await create({ firstDay: '2026-11-15' });
  const { id } = await create({ name: 'Adiós', place: 'post', firstDay: '2026-11-15' });
  const other = await insertClip(db, owner.creatorId, { name: 'Otro' });
  const both = await create({ name: 'Dos', place: 'mid', firstDay: '2026-11-15', clipIds: [clip, other] });
  const silencers = async () =>
    Object.fromEntries(
      (await owner.api.campaigns.list({ productId: show.id })).items.map((item) => [item.id, item.silencedBy]),
    );

  expect(await silencers()).toEqual({
    [first.id]: null,
    [id]: { id: first.id, name: 'Bodegas Mar' },
    [both.id]: null,
  });
  expect((await owner.api.campaigns.get({ id })).silencedBy).toEqual({ id: first.id, name: 'Bodegas Mar' });

  await owner.api.campaigns.switch({ id: first.id, isActive: false });
  expect((await owner.api.campaigns.get({ id })).silencedBy).toBeNull();
  await owner.api.campaigns.switch({ id: first.id, isActive: true });
  await owner.api.campaigns.edit({ ...VALUES, id: first.id, firstDay: '2026-11-16' });
  expect((await owner.api.campaigns.get({ id })).silencedBy).toBeNull();
});

test('a refusal names the campaign that has the place', async () => {
  await create({ name: 'Festival', firstDay: '2026-11-15', lastDay: '2026-11-16' });
  await create();

  await expect(create({ name: 'Otra' })).rejects.toMatchObject({ cause: { params: { campaign: 'Bodegas Mar' } } });
});

test('mid-rolls of other numbers, other episodes, and campaigns that are over do not meet', async () => {
  const first = await create({ place: 'mid', number: 1, selection: 'chosen', episodeIds: [episodes[0]!.id] });
  await create({ place: 'mid', number: 2 });
  await create({ place: 'mid', number: 1, selection: 'chosen', episodeIds: [episodes[1]!.id] });
  const all = () => create({ place: 'mid', number: 1, selection: 'before', selectionDay: '2026-11-02' });
  await expect(all()).toFailWith('campaign.same_dates');
  await owner.api.campaigns.switch({ id: first.id, isActive: false });
  await expect(all()).toFailWith('campaign.same_dates');

  await owner.api.campaigns.end({ id: first.id });
  const { id } = await all();
  await owner.api.campaigns.remove({ id });
  await expect(all()).resolves.toBeTruthy();
});

test('an edited campaign does not meet itself, but others', async () => {
  const { id } = await create();
  const later = await create({ firstDay: '2026-12-01', lastDay: '2026-12-10' });

  await owner.api.campaigns.edit({ ...VALUES, id, name: 'Otra' });
  await expect(owner.api.campaigns.edit({ ...VALUES, id, lastDay: '2026-12-01' })).toFailWith('campaign.same_dates');

  expect(await stored(id)).toMatchObject({ name: 'Otra', lastDay: '2026-11-30' });
  await owner.api.campaigns.end({ id: later.id });
  await owner.api.campaigns.edit({ ...VALUES, id, lastDay: '2026-12-01' });
});

test.each(['created', 'edited'])('of two campaigns %s at once for one place, the second is refused', async (how) => {
  const moved = await create({ firstDay: '2027-01-01', lastDay: '2027-01-02' });
  const pause = pauseAt('campaign.checked');
  const first = create();
  await pause.reachedBy(first);
  const next = how === 'created' ? create() : owner.api.campaigns.edit({ ...VALUES, id: moved.id });
  const refused = expect(next).toFailWith('campaign.same_dates');
  await lockWaits(db);

  pause.goOn();
  await Promise.all([first, refused]);

  expect(await db.$count(insertionCampaigns, eq(insertionCampaigns.firstDay, '2026-11-20'))).toBe(1);
});

test('clips of others, deleted and failed ones, and episodes of other shows are refused', async () => {
  const gone = await insertClip(db, owner.creatorId, { deletedAt: NOON });
  const failed = await insertClip(db, owner.creatorId, { status: 'failed' });
  for (const id of [stranger, gone, failed, 999_999_999])
    await expect(create({ clipIds: [clip, id] })).toFailWith('campaign.clip_unusable');
  for (const id of [strange!.id, 999_999_999])
    await expect(create({ selection: 'chosen', episodeIds: [id] })).toFailWith('campaign.episode_unknown');
  await expect(create({ clipIds: [] })).toFailWith('campaign.clip_required');
  await expect(create({ clipIds: [1, 2, 3, 4, 5, 6] })).rejects.toThrow();
  await expect(create({ countries: ['XX'] })).rejects.toThrow();
  await expect(create({ place: 'elsewhere' as never })).rejects.toThrow();
});

test('a campaign prepares, and fails, with its clips', async () => {
  const slow = await insertClip(db, owner.creatorId, { status: 'in_progress' });
  const { id } = await create({ clipIds: [clip, slow], firstDay: '2026-11-15' });
  const state = async () => (await owner.api.campaigns.get({ id })).state;

  expect(await state()).toBe('preparing');
  await db.update(clips).set({ status: 'ready' }).where(eq(clips.id, slow));
  expect(await state()).toBe('running');
  const sound = { peaksKey: 'peaks', sampleRate: 44_100, channels: 2, bitrate: 128_000 };
  await db.update(episodesTable).set(sound).where(eq(episodesTable.id, episodes[0]!.id));
  expect(await state()).toBe('preparing');
  await owner.api.campaigns.edit({ ...VALUES, id, clipIds: [clip, slow], firstDay: '2026-11-15' });
  expect(await db.$count(clipVersions)).toBe(2);
  expect((await owner.api.campaigns.get({ id })).prepared).toEqual({ ready: 0, total: 2 });
  await db.update(clipVersions).set({ status: 'ready' });
  expect(await state()).toBe('running');
  await db.update(clipVersions).set({ status: 'failed' }).where(eq(clipVersions.clipId, slow));
  expect(await state()).toBe('failed');
  await db.delete(clipVersions);
  await db.update(episodesTable).set({ peaksKey: null });
});

test('a campaign is switched off and on, ends once, and is gone once deleted', async () => {
  const { id } = await create({ firstDay: '2026-11-15' });
  await owner.api.campaigns.switch({ id, isActive: false });
  await owner.api.campaigns.switch({ id, isActive: false });
  expect((await owner.api.campaigns.get({ id })).state).toBe('paused');
  await owner.api.campaigns.switch({ id, isActive: true });
  expect((await owner.api.campaigns.get({ id })).state).toBe('running');

  await owner.api.campaigns.end({ id });
  clock.now = later(NOON, DAYS(1));
  await owner.api.campaigns.end({ id });
  expect((await stored(id)).endedAt).toEqual(NOON);
  await expect(owner.api.campaigns.switch({ id, isActive: true })).toFailWith('campaign.ended');
  await expect(owner.api.campaigns.edit({ ...VALUES, id })).toFailWith('campaign.ended');
  await owner.api.campaigns.remove({ id });
  await expect(owner.api.campaigns.get({ id })).toFailWith('campaign.not_found');
  const { items } = await owner.api.team.activity({ page: 1 });
  expect(items.filter(({ action }) => action.startsWith('campaign.')).slice(0, 5)).toMatchObject([
    { action: 'campaign.deleted', params: { campaign: 'Bodegas Mar', name: 'Olas' } },
    { action: 'campaign.ended' },
    { action: 'campaign.switched_on' },
    { action: 'campaign.switched_off' },
    { action: 'campaign.created' },
  ]);
});

test('a cap is never below the impressions that are counted or expected', async () => {
  const { id } = await create({ cap: 100 });
  await db.update(insertionCampaigns).set({ impressions: 40, reserved: 5 }).where(eq(insertionCampaigns.id, id));

  await expect(owner.api.campaigns.edit({ ...VALUES, id, cap: 44 })).toFailWith('campaign.cap_too_low');
  await owner.api.campaigns.edit({ ...VALUES, id, cap: 45 });

  expect(await stored(id)).toMatchObject({ cap: 45, impressions: 40, reserved: 5 });
});

test('campaigns move among those of their kind, and the list has their order', async () => {
  const ids = [];
  for (const [name, kind] of [
    ['uno', 'fallback'],
    ['dos', 'fallback'],
    ['campaña', 'campaign'],
    ['tres', 'fallback'],
  ] as const)
    ids.push((await create({ name, kind })).id);
  await create({ name: 'otro programa', productId: second.id });
  const names = async (productId?: number) =>
    (await owner.api.campaigns.list({ productId })).items.map(({ name }) => name);

  await owner.api.campaigns.move({ id: ids[3]!, direction: 'up' });
  await owner.api.campaigns.move({ id: ids[0]!, direction: 'up' });

  expect(await names(show.id)).toEqual(['campaña', 'uno', 'tres', 'dos']);
  expect((await names()).toSorted()).toEqual(['campaña', 'dos', 'otro programa', 'tres', 'uno']);
  expect((await owner.api.campaigns.list({ search: 'tre' })).total).toBe(1);
});

test('without a plan, campaigns can be seen, paused and ended, but neither made nor changed nor switched on', async () => {
  const { id } = await create();
  const free = { creatorId: owner.creatorId, plan: 'FREE', since: NOON } as const;
  await db.insert(creatorPlans).values(free);

  for (const act of [
    () => create({ firstDay: '2027-01-01', lastDay: '2027-01-02' }),
    () => owner.api.campaigns.edit({ ...VALUES, id }),
    () => owner.api.campaigns.switch({ id, isActive: true }),
  ])
    await expect(act()).toFailWith('plan.insertions_required');
  expect(await owner.api.campaigns.list({})).toMatchObject({ total: 1, isOffered: false, canManage: true });
  await owner.api.campaigns.switch({ id, isActive: false });
  await owner.api.campaigns.end({ id });
  await db.delete(creatorPlans);
});

test('at the end of a plan, running campaigns and fallbacks end that day, and scheduled ones on their first', async () => {
  const ids: number[] = [];
  for (const over of [
    { place: 'pre', firstDay: '2026-11-15' },
    { kind: 'fallback' },
    { place: 'post', firstDay: '2026-11-16' },
    { place: 'mid', firstDay: '2026-11-15', isActive: false },
  ] as const)
    ids.push((await create({ lastDay: '2026-11-30', ...over })).id);
  const others = await insertClip(db, other.creatorId);
  const kept = await create({ productId: theirs.id, clipIds: [others], firstDay: '2026-11-15' }, other);
  const ended = async () => (await Promise.all(ids.map(stored))).map(({ endedAt }) => endedAt);
  await endUnplanned(ctx);
  expect(await ended()).toEqual([null, null, null, null]);

  await db.insert(creatorPlans).values({ creatorId: owner.creatorId, plan: 'FREE', since: NOON });
  await endUnplanned(ctx);
  expect(await ended()).toEqual([NOON, NOON, null, null]);
  const tomorrow = new Date('2026-11-15T23:00:00Z');
  clock.now = tomorrow;
  await endUnplanned(ctx);

  expect(await ended()).toEqual([NOON, NOON, tomorrow, null]);
  expect((await stored(kept.id)).endedAt).toBeNull();
  await db.delete(creatorPlans);
});

test('a plan that is chosen while campaigns are ended keeps them', async () => {
  const { id } = await create({ firstDay: '2026-11-15' });
  await db.insert(creatorPlans).values({ creatorId: owner.creatorId, plan: 'FREE', since: NOON });
  const pause = pauseAt('campaigns.unplanned');
  const ending = endUnplanned(ctx);
  await pause.reachedBy(ending);
  await db.update(creatorPlans).set({ plan: 'PRO' });
  pause.goOn();
  await ending;

  expect((await stored(id)).endedAt).toBeNull();
  await db.delete(creatorPlans);
});

test('another creator can neither see nor change a campaign, nor anybody that of a recommendation', async () => {
  const { id } = await create();
  const promo = { creatorId: owner.creatorId, productId: show.id };
  const [row] = await db
    .insert(insertionCampaigns)
    .values(campaignRow(promo, { kind: 'promo' }))
    .returning();
  const acts = (api: typeof owner.api, of: number) => [
    () => api.campaigns.edit({ ...VALUES, id: of }),
    () => api.campaigns.switch({ id: of, isActive: false }),
    () => api.campaigns.end({ id: of }),
    () => api.campaigns.move({ id: of, direction: 'up' as const }),
    () => api.campaigns.remove({ id: of }),
  ];

  for (const act of [...acts(other.api, id), () => other.api.campaigns.get({ id }), ...acts(owner.api, row!.id)])
    await expect(act()).toFailWith('campaign.not_found');
  await expect(create({ clipIds: [stranger] }, other)).toFailWith('product.not_found');
  await expect(other.api.campaigns.list({ productId: show.id })).toFailWith('product.not_found');
  expect((await other.api.campaigns.list({})).total).toBe(0);
});

test('a show has a limited number of campaigns', async () => {
  const own = { creatorId: owner.creatorId, productId: show.id };
  const rows = Array.from({ length: CAMPAIGN_LIMITS.perShow }, () => campaignRow(own, { endedAt: NOON }));
  await db.insert(insertionCampaigns).values(rows);

  await expect(create()).toFailWith('campaign.limit_reached');
  const [first] = await db.select().from(insertionCampaigns).orderBy(asc(insertionCampaigns.id)).limit(1);
  await owner.api.campaigns.remove({ id: first!.id });
  const { id } = await create();

  expect(await db.$count(campaignEpisodes, eq(campaignEpisodes.campaignId, id))).toBe(0);
});
