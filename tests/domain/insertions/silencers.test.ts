import { expect, test } from 'vitest';
import { type ClipUser, silencerOf } from '~/server/domain/insertions/silencers';

type User = ClipUser & { episodeIds: readonly number[] };
const FIRST = {
  ...{ kind: 'campaign', place: 'pre', number: 0, clipIds: [1], isPaced: false, countries: [] },
  ...{ id: 1, selection: 'all', selectionDay: null, episodeIds: [] },
  ...{ inPublicFeed: true, inPrivateFeeds: true, inWebPlayer: true },
} satisfies User;
const LAST: User = { ...FIRST, place: 'post' };
const MID: User = { ...FIRST, place: 'mid', number: 2 };
const from = (selectionDay: string) => ({ selection: 'new', selectionDay }) as const;
const before = (selectionDay: string) => ({ selection: 'before', selectionDay }) as const;
const chosen = (...episodeIds: number[]) => ({ selection: 'chosen', episodeIds }) as const;

test.each<[string, User, User[], boolean]>([
  ['a later place', LAST, [FIRST], true],
  ['an earlier place', FIRST, [LAST], false],
  ['the same place', FIRST, [FIRST], false],
  ['a mid-roll after a pre-roll', MID, [FIRST], true],
  ['a mid-roll after an earlier one', MID, [{ ...MID, number: 1 }], true],
  ['a mid-roll before it', MID, [{ ...MID, number: 3 }], false],
  ['an end after a mid-roll, which an episode may lack', LAST, [MID], false],
  ['a fallback', { ...LAST, kind: 'fallback' }, [FIRST], true],
  ['something that only a fallback plays before', LAST, [{ ...FIRST, kind: 'fallback' }], false],
  ['another clip', { ...LAST, clipIds: [2] }, [FIRST], false],
  ['one clip of its own', { ...LAST, clipIds: [1, 2] }, [FIRST], false],
  ['two clips of two others', { ...LAST, clipIds: [1, 2] }, [FIRST, { ...MID, clipIds: [2] }], false],
  ['two clips, both played before', { ...MID, clipIds: [1, 2] }, [FIRST, { ...FIRST, clipIds: [2] }], true],
  ['a clip that takes turns', LAST, [{ ...FIRST, clipIds: [1, 2] }], false],
  ['a clip that is paced', LAST, [{ ...FIRST, isPaced: true }], false],
  ['listeners of its own', LAST, [{ ...FIRST, inWebPlayer: false }], false],
  ['fewer listeners', { ...LAST, inWebPlayer: false }, [{ ...FIRST, inWebPlayer: false }], true],
  ['more countries', LAST, [{ ...FIRST, countries: ['ES'] }], false],
  ['fewer countries', { ...LAST, countries: ['ES'] }, [{ ...FIRST, countries: ['ES', 'MX'] }], true],
  ['more episodes', LAST, [{ ...FIRST, ...chosen(1) }], false],
  ['fewer chosen episodes', { ...LAST, ...chosen(1) }, [{ ...FIRST, ...chosen(2, 1) }], true],
  ['other chosen episodes', { ...LAST, ...chosen(1, 3) }, [{ ...FIRST, ...chosen(2, 1) }], false],
  ['episodes from a later day', { ...LAST, ...from('2026-11-02') }, [{ ...FIRST, ...from('2026-11-01') }], true],
  ['episodes from an earlier day', { ...LAST, ...from('2026-11-01') }, [{ ...FIRST, ...from('2026-11-02') }], false],
  [
    'episodes before an earlier day',
    { ...LAST, ...before('2026-11-01') },
    [{ ...FIRST, ...before('2026-11-02') }],
    true,
  ],
  ['episodes before a later day', { ...LAST, ...before('2026-11-02') }, [{ ...FIRST, ...before('2026-11-01') }], false],
])('a campaign with %s', (_, campaign, others, isSilent) => {
  const own = { ...campaign, id: 9 };
  const all = others.map((other, id) => ({ ...other, id }));
  const chosen = new Map([own, ...all].map(({ id, episodeIds }) => [id, new Set(episodeIds)]));

  expect(silencerOf(own, all, chosen)).toBe(isSilent ? all[0] : null);
});
