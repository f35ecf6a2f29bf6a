import { expect, test } from 'vitest';
import { type HeardParts, toEpisode, toHeard } from '~/app/features/listener/player/heard-parts';

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
