import { expect, test } from 'vitest';
import {
  chooseClips,
  type ForListener,
  type Insertable,
  type Insertables,
} from '~/server/domain/insertions/choose-clips';

const CAMPAIGN: Insertable = {
  id: 1,
  ...{ kind: 'campaign', place: 'pre', number: 0, selection: 'all', selectionDay: null, isChosen: false, rank: 1 },
  ...{ inPublicFeed: true, inPrivateFeeds: false, inWebPlayer: false, countries: [] },
  ...{ silenceBeforeMs: 0, silenceAfterMs: 0, clips: [{ clipId: 10, versionId: 100 }] },
  ...{ isComplete: true, isActive: true, failureReason: null, endedAt: null },
  ...{ firstDay: '2026-11-10', lastDay: '2026-11-20', cap: null, impressions: 0 },
};
const EPISODE: Insertables = {
  ...{ today: '2026-11-15', releaseDay: '2026-11-01', durationMs: 60_000, points: [20_000, 40_000], passages: [] },
  ...{ campaigns: [], insertionFreeSince: null },
};
const LISTENER: ForListener = { door: 'public_feed', country: 'ES', turn: 'a' };

/** A campaign with a clip of its own. */
const campaign = (id: number, over: Partial<Insertable> = {}): Insertable => ({
  ...CAMPAIGN,
  id,
  clips: [{ clipId: 10 * id, versionId: 100 * id }],
  ...over,
});
const chosen = (campaigns: Insertable[], listener: Partial<ForListener> = {}, episode: Partial<Insertables> = {}) =>
  chooseClips({ ...EPISODE, ...episode, campaigns }, { ...LISTENER, ...listener });
const played = (...args: Parameters<typeof chosen>) =>
  chosen(...args).clips.map(({ place, campaignId }) => `${place} ${campaignId}`);

test.each<[string, boolean, Partial<Insertable>, Partial<ForListener>, Partial<Insertables>]>([
  ['as it is', true, {}, {}, {}],
  ['on its first day', true, {}, {}, { today: '2026-11-10' }],
  ['on its last day', true, {}, {}, { today: '2026-11-20' }],
  ['before its first day', false, {}, {}, { today: '2026-11-09' }],
  ['after its last day', false, {}, {}, { today: '2026-11-21' }],
  ['without days', true, { firstDay: null, lastDay: null }, {}, { today: '2030-01-01' }],
  ['paused', false, { isActive: false }, {}, {}],
  ['a draft', false, { isComplete: false }, {}, {}],
  ['with a reached cap', false, { cap: 5, impressions: 5 }, {}, {}],
  ['with an unreached cap', true, { cap: 5, impressions: 4 }, {}, {}],
  ['without room in its cap', false, {}, { without: new Set([1]) }, {}],
  ['without a ready clip', false, { clips: [] }, {}, {}],
  ['in a private feed', false, {}, { door: 'private_feed' }, {}],
  ['in a private feed that it is for', true, { inPrivateFeeds: true }, { door: 'private_feed' }, {}],
  ['in the web player', false, {}, { door: 'web_player' }, {}],
  ['in the web player that it is for', true, { inWebPlayer: true }, { door: 'web_player' }, {}],
  ['not in the public feed', false, { inPublicFeed: false, inPrivateFeeds: true, inWebPlayer: true }, {}, {}],
  ['for a subscriber', true, {}, { isSubscriber: true }, {}],
  ['for a listener, with the promise to subscribers', true, {}, {}, { insertionFreeSince: new Date(0) }],
  ['for a subscriber, against the promise', false, {}, { isSubscriber: true }, { insertionFreeSince: new Date(0) }],
  [
    'in a private feed, against the promise',
    false,
    { inPrivateFeeds: true },
    { door: 'private_feed' },
    { insertionFreeSince: new Date(0) },
  ],
  ['in its country', true, { countries: ['PT', 'ES'] }, {}, {}],
  ['in another country', false, { countries: ['PT'] }, {}, {}],
  ['in an unknown country', false, { countries: ['ES'] }, { country: null }, {}],
  ['in a chosen episode', true, { selection: 'chosen', isChosen: true }, {}, {}],
  ['in another episode', false, { selection: 'chosen' }, {}, {}],
  ['before a day', true, { selection: 'before', selectionDay: '2026-11-02' }, {}, {}],
  ['on the day of older ones', false, { selection: 'before', selectionDay: '2026-11-01' }, {}, {}],
  ['in a new episode', true, { selection: 'new', selectionDay: '2026-11-01' }, {}, {}],
  ['in an old episode', false, { selection: 'new', selectionDay: '2026-11-02' }, {}, {}],
  ['at a second point', true, { place: 'mid', number: 2 }, {}, {}],
  ['at a third point', false, { place: 'mid', number: 3 }, {}, {}],
  ['at a point past the end', false, { place: 'mid', number: 2 }, {}, { durationMs: 39_999 }],
])('a campaign %s plays: %s', (_, expected, campaignIs, listener, episode) => {
  expect(played([campaign(1, campaignIs)], listener, episode)).toHaveLength(expected ? 1 : 0);
});

test('places are in the order of playing, and campaigns of a place in that of their ranks', () => {
  const order = played([
    campaign(1, { place: 'post' }),
    campaign(2, { place: 'mid', number: 2 }),
    campaign(3, { place: 'mid', number: 1 }),
    campaign(4, { rank: 2 }),
    campaign(5, { rank: 1 }),
    campaign(6, { kind: 'promo', rank: 0 }),
  ]);

  expect(order).toEqual(['pre 5', 'pre 4', 'pre 6', '20000 3', '40000 2', 'post 1']);
});

test('a fallback plays only where nothing else does, and one of them', () => {
  const fallbacks = [campaign(1, { kind: 'fallback' }), campaign(2, { kind: 'fallback' })];

  expect(played(fallbacks)).toEqual(['pre 1']);
  expect(played([...fallbacks, campaign(3, { kind: 'promo' })])).toEqual(['pre 3']);
  expect(played([...fallbacks, campaign(3, { kind: 'promo', place: 'post' })])).toEqual(['pre 1', 'post 3']);
});

test('no clip plays twice', () => {
  const clips = [
    { clipId: 1, versionId: 1 },
    { clipId: 2, versionId: 2 },
  ];
  const both = [campaign(1, { clips }), campaign(2, { clips }), campaign(3, { clips, place: 'post' })];

  const versions = chosen(both).clips.map(({ versionId }) => versionId);

  expect(versions.sort()).toEqual([1, 2]);
});

test('clips take turns among listeners, and a listener gets the same one again', () => {
  const clips = [1, 2, 3].map((id) => ({ clipId: id, versionId: id }));
  const forListener = (i: number) => chosen([campaign(1, { clips })], { turn: `listener ${i}` }).clips[0]!.versionId;

  const counts = [0, 0, 0];
  for (let i = 0; i < 3000; i++) counts[forListener(i) - 1]! += 1;

  expect(Math.min(...counts)).toBeGreaterThan(900);
  expect(forListener(7)).toBe(forListener(7));
});

test('a replaced passage is left out, its clip plays in its place, and no campaign repeats that clip', () => {
  const clip = { clipId: 10, versionId: 100 };
  const passages = [
    { fromMs: 30_000, toMs: 35_000, clip },
    { fromMs: 50_000, toMs: 51_000, clip: null },
    { fromMs: 61_000, toMs: 62_000, clip: null },
  ];

  const found = chosen([campaign(1), campaign(2, { place: 'mid', number: 1 })], {}, { passages });

  expect(found.clips.map(({ place, versionId }) => [place, versionId])).toEqual([
    [20_000, 200],
    [30_000, 100],
  ]);
  expect(found.omitted).toEqual([
    { fromMs: 30_000, toMs: 35_000 },
    { fromMs: 50_000, toMs: 51_000 },
  ]);
});

test('silence around a clip is part of the arrangement, so another silence is another rendition', () => {
  const [silent] = chosen([campaign(1, { silenceBeforeMs: 300 })]).clips;

  expect(silent).toEqual({ place: 'pre', versionId: 100, campaignId: 1, silenceBeforeMs: 300 });
});

test('a subscriber with the promise hears neither a passage that was replaced nor the clip in its place', () => {
  const passages = [{ fromMs: 30_000, toMs: 35_000, clip: { clipId: 10, versionId: 100 } }];

  const found = chosen([], { isSubscriber: true }, { passages, insertionFreeSince: new Date(0) });

  expect(found).toEqual({ clips: [], omitted: [{ fromMs: 30_000, toMs: 35_000 }] });
});
