import { expect, test } from 'vitest';
import { previewedRelease } from '~/app/features/studio/episode/episode-values';

const released = new Date('2026-10-01T10:00:00Z');
const later = { publish: 'later', timeZone: 'Europe/Madrid', releaseMoment: '' };

test.each([
  ['published now', { publish: 'now' }, null, 'today'],
  ['at a time', { ...later, releaseLocal: '2026-12-01T10:00' }, null, new Date('2026-12-01T09:00:00Z')],
  ['at no time yet', { ...later, releaseLocal: '' }, null, 'open'],
  [
    'at a time that clocks show twice, before the question is answered',
    { ...later, releaseLocal: '2026-10-25T02:30' },
    null,
    'open',
  ],
  ['kept as it is', { publish: 'keep' }, released, released],
  ['kept without a time', { publish: 'keep' }, null, 'open'],
  ['a draft that had a time', { publish: 'draft' }, released, 'open'],
])('the preview of an episode %s shows its date', (_, values, current, shown) => {
  expect(previewedRelease(values, current)).toEqual(shown);
});
