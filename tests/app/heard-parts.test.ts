import { expect, test } from 'vitest';
import { type HeardParts, toEpisode, toHeard } from '~/app/features/listener/player/heard-parts';
import { spreadPeaks } from '~/app/features/listener/player/spread-peaks';

/** Ten seconds before the episode, twenty at its minute, and the seconds 100 to 110 are left out. */
const PARTS: HeardParts = [
  { heard: 10, episode: 0, seconds: 60 },
  { heard: 90, episode: 60, seconds: 40 },
  { heard: 130, episode: 110, seconds: 30 },
];

test.each([
  [0, 0],
  [9.9, 0],
  [10, 0],
  [69, 59],
  [70, 60],
  [85, 60],
  [91, 61],
  [130, 110],
  [160, 140],
  [175, 140],
])('at %s heard seconds, the episode is at %s', (heard, seconds) => {
  expect(toEpisode(PARTS, heard)).toBe(seconds);
});

test.each([
  [0, 0],
  [0.5, 10.5],
  [59, 69],
  [60, 90],
  [105, 130],
  [110, 130],
  [500, 160],
])('second %s of the episode is heard at %s', (seconds, heard) => {
  expect(toHeard(PARTS, seconds)).toBe(heard);
});

test('without clips, both are the same', () => {
  expect([toEpisode(null, 12.5), toHeard(null, 12.5), toHeard(null, -1)]).toEqual([12.5, 12.5, 0]);
});

test('the peaks of an episode are where its parts are heard, and clips are silent', () => {
  // 140 seconds, of which 100 to 110 are left out: one peak for each 10 seconds
  const peaks = { bytes: Uint8Array.from({ length: 14 }, (_, index) => index + 1), seconds: 140 };

  const spread = spreadPeaks(peaks, PARTS, 170);

  const at = (heard: number) => spread[Math.floor((heard / 170) * spread.length)];
  expect([5, 15, 65, 80, 95, 125, 135, 155, 165].map(at)).toEqual([0, 1, 6, 0, 7, 10, 12, 14, 0]);
  expect(spreadPeaks(peaks, null, 140)).toBe(peaks.bytes);
});
