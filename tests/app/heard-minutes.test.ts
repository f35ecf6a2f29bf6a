import { expect, test } from 'vitest';
import { hear, nothingHeard, toHours } from '~/app/features/listener/player/heard-minutes';

/** The minutes that are heard after playing from one second to another, second by second. */
function played(parts: [from: number, to: number][], { speed = 1, duration = 600 } = {}) {
  const heard = nothingHeard(1);
  for (const [from, to] of parts) for (let at = from; at <= to; at += speed) hear(heard, at, duration);
  return [...heard.waiting];
}

test('a minute counts once half of it is heard, at one time or at several, and not if it is skipped', () => {
  const [half, less] = [played([[0, 30]]), played([[0, 29]])];
  const inParts = played([
    [0, 20],
    [100, 101],
    [40, 51],
  ]);
  const skipped = played([
    [0, 30],
    [200, 230],
  ]);

  expect({ half, less, inParts, skipped }).toEqual({ half: [0], less: [], inParts: [0], skipped: [0, 3] });
});

test('faster playback hears the same minutes', () => {
  expect(played([[0, 600]], { speed: 3 })).toEqual(played([[0, 600]]));
});

test('the last minute may be short', () => {
  expect(played([[0, 70]], { duration: 70 })).toEqual([0, 1]);
  expect(played([[0, 64]], { duration: 70 })).toEqual([0]);
});

test('minutes are bits of the hours of the episode', () => {
  expect(toHours([0, 1, 59, 60, 125])).toEqual([
    [0, '800000000000003'],
    [1, '1'],
    [2, '20'],
  ]);
});
