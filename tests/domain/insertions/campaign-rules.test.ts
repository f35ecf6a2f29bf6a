import { expect, test } from 'vitest';
import {
  type CampaignTerms,
  campaignProblems,
  effectiveTerms,
  movedOrder,
  type Selection,
  selects,
  shareEpisode,
} from '~/server/domain/insertions/rules';
import { createCampaign, editCampaign } from '~/server/domain/insertions/schema';

const TODAY = '2026-11-15';
const ALL: Selection = { selection: 'all', selectionDay: null, episodeIds: [] };
const chosen = (...episodeIds: number[]): Selection => ({ selection: 'chosen', selectionDay: null, episodeIds });
const before = (selectionDay: string): Selection => ({ selection: 'before', selectionDay, episodeIds: [] });
const from = (selectionDay: string): Selection => ({ selection: 'new', selectionDay, episodeIds: [] });

test.each([
  [ALL, true, true, true],
  [chosen(1), true, false, false],
  [before('2026-11-11'), true, false, false],
  [before('2026-11-10'), false, false, false],
  [from('2026-11-10'), true, true, true],
  [from('2026-11-11'), false, true, true],
])('%o includes an old episode: %s, a later one: %s, and one without a time: %s', (selection, old, later, without) => {
  expect(selects(selection, { id: 1, releaseDay: '2026-11-10' })).toBe(old);
  expect(selects(selection, { id: 2, releaseDay: '2026-11-12' })).toBe(later);
  expect(selects(selection, { id: 3, releaseDay: null })).toBe(without);
});

const EPISODES = [
  { id: 1, releaseDay: '2026-11-01' },
  { id: 2, releaseDay: '2026-11-10' },
];
test.each([
  [ALL, ALL, true],
  [ALL, chosen(2), true],
  [ALL, chosen(9), false],
  [chosen(1), chosen(2), false],
  [chosen(1, 2), chosen(2), true],
  [chosen(1), before('2026-11-02'), true],
  [chosen(2), before('2026-11-02'), false],
  [chosen(2), from('2026-11-10'), true],
  [before('2026-11-10'), from('2026-11-10'), false],
  // no episode was released on these days
  [before('2026-11-08'), from('2026-11-02'), false],
  [before('2026-11-11'), from('2026-11-10'), true],
  // one may still be released on these days
  [before('2026-11-18'), from('2026-11-12'), true],
  [before('2026-11-15'), from('2026-11-12'), false],
  [from('2027-01-01'), from('2026-12-01'), true],
  [before('2026-11-02'), before('2026-10-01'), false],
])('%o and %o share an episode: %s', (one, other, shared) => {
  for (const [left, right] of [
    [one, other],
    [other, one],
  ] as const)
    expect(shareEpisode(left, right, { episodes: EPISODES, today: TODAY })).toBe(shared);
});

const TERMS: CampaignTerms = {
  ...ALL,
  ...{ kind: 'campaign', isDraft: false, place: 'pre', number: 0, clipIds: [1] },
  ...{ firstDay: '2026-11-15', lastDay: '2026-11-15', cap: 10, isPaced: true },
  ...{ inPublicFeed: true, inPrivateFeeds: false, inWebPlayer: false },
};
const FACTS = { today: TODAY, used: 0, formerLastDay: null };
const OVER = { firstDay: '2026-11-01', lastDay: '2026-11-14' };

test.each([
  [null, {}, {}],
  [null, { isDraft: true, clipIds: [], place: null, firstDay: null, inPublicFeed: false }, {}],
  [null, { lastDay: null, isPaced: false }, {}],
  [null, OVER, { formerLastDay: '2026-11-14' }],
  [null, { kind: 'fallback', firstDay: null, lastDay: null, cap: null, isPaced: false }, {}],
  [null, {}, { used: 10 }],
  ['campaign.clip_required', { clipIds: [] }, {}],
  ['campaign.position_required', { place: null }, {}],
  ['campaign.episodes_required', chosen(), {}],
  ['campaign.selection_day_required', { selection: 'before' }, {}],
  ['campaign.selection_day_required', { selection: 'new' }, {}],
  ['campaign.door_required', { inPublicFeed: false }, {}],
  ['campaign.door_required', { inPublicFeed: false, kind: 'fallback' }, {}],
  ['campaign.first_day_required', { firstDay: null }, {}],
  ['campaign.last_day_too_early', { lastDay: '2026-11-14' }, {}],
  ['campaign.day_over', OVER, {}],
  ['campaign.day_over', OVER, { formerLastDay: '2026-11-13' }],
  ['campaign.pacing_incomplete', { cap: null }, {}],
  ['campaign.pacing_incomplete', { lastDay: null }, {}],
  ['campaign.cap_too_low', {}, { used: 11 }],
  ['campaign.cap_too_low', { isDraft: true }, { used: 11 }],
] as const)('%s: a campaign with %o, where %o', (code, terms, facts) => {
  const [problem, ...others] = campaignProblems({ ...TERMS, ...terms }, { ...FACTS, ...facts });

  expect(problem?.code ?? null).toBe(code);
  expect(others).toEqual([]);
});

test('values that do not apply are left out', () => {
  const episodeIds = [1];
  const day = '2026-11-01';
  const kept = (over: Partial<CampaignTerms>) =>
    effectiveTerms({ ...TERMS, number: 3, selectionDay: day, episodeIds, ...over });

  expect(kept({ place: 'pre' })).toMatchObject({ number: 0, selectionDay: null, episodeIds: [] });
  expect(kept({ place: 'mid', selection: 'chosen' })).toMatchObject({ number: 3, selectionDay: null, episodeIds });
  expect(kept({ place: 'mid', number: 0 })).toMatchObject({ number: 1 });
  expect(kept({ selection: 'new' })).toMatchObject({ selectionDay: day, episodeIds: [], firstDay: TODAY, cap: 10 });
  expect(kept({ kind: 'fallback' })).toMatchObject({ firstDay: null, lastDay: null, cap: null, isPaced: false });
});

test.each([
  [1, 'up', null],
  [2, 'up', [2, 1, 3]],
  [2, 'down', [1, 3, 2]],
  [3, 'down', null],
  [9, 'up', null],
] as const)('of three campaigns, %i moves %s', (id, direction, order) => {
  expect(movedOrder([1, 2, 3], id, direction)).toEqual(order);
});

test('days that a form leaves empty are none, and others are days', () => {
  const sent = { productId: 1, name: 'Endless', selectionDay: '', firstDay: '2026-11-15', lastDay: '' };

  const { firstDay, lastDay, selectionDay } = createCampaign.parse(sent);

  expect([firstDay, lastDay, selectionDay]).toEqual(['2026-11-15', undefined, undefined]);
  expect(createCampaign.safeParse({ ...sent, lastDay: 'soon' }).success).toBe(false);
});

test.each([
  // a refused cap and a refused last day are not taken for missing ones
  [{ cap: 'abc', isPaced: true, lastDay: '2026-11-30' }, ['cap']],
  [{ lastDay: 'soon', isPaced: true, cap: 5 }, ['lastDay']],
  [{ name: '', clipIds: [], place: '', inPublicFeed: false }, ['clipIds', 'name', 'place']],
  [{ name: '', clipIds: null }, ['clipIds', 'name']],
  [{ name: '', firstDay: '', lastDay: '2026-11-30' }, ['firstDay', 'name']],
  [{ name: '', isDraft: true, clipIds: [], place: '' }, ['name']],
  [{ name: '', kind: 'fallback', firstDay: '' }, ['name']],
  // rules alone are no reason: they know more when they run
  [{ clipIds: [], place: '' }, []],
])('of the form %o, the refused fields are %o', (over, refused) => {
  const sent = { productId: 1, name: 'Bodegas Mar', clipIds: [1], place: 'pre', firstDay: '2026-11-15', ...over };

  const { error } = createCampaign.safeParse(sent);

  expect([...new Set(error?.issues.map(({ path }) => String(path[0])))].sort()).toEqual(refused);
});

test('an edited fallback without a name is not asked for days', () => {
  const { error } = editCampaign.safeParse({ id: 1, name: '', clipIds: [1], place: 'pre' });

  expect(error?.issues.map(({ path }) => path[0])).toEqual(['name']);
});
