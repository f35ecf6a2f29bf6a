import { expect, test } from 'vitest';
import { moveEdge, snapOf, snapped } from '~/app/features/studio/sound/passage';
import type { Pause } from '~/server/domain/insertions/rules';

const LIMITS = { durationMs: 90_000, longestMs: 30_000, defaultMs: 10_000 };
const pause = (atMs: number): Pause => ({ startMs: atMs - 250, endMs: atMs + 250, atMs });

test.each([
  ['the start moves alone', 'start', 12_000, { start: '0:12', end: '0:30' }],
  ['the end moves alone', 'end', 35_500, { start: '0:10', end: '0:35.5' }],
  ['the start takes the end along beyond it', 'start', 40_000, { start: '0:40', end: '0:50' }],
  ['the end takes the start along beyond it', 'end', 5000, { start: '0:00', end: '0:05' }],
  ['a start too far from the end takes it along', 'start', 0, { start: '0:00', end: '0:30' }],
  ['an end too far from the start takes it along', 'end', 60_000, { start: '0:30', end: '1:00' }],
  ['nothing is after the end of the episode', 'start', 88_000, { start: '1:28', end: '1:30' }],
  ['nothing is before its start', 'end', -500, { start: '0:00', end: '0:00' }],
] as const)('%s', (_, edge, ms, expected) => {
  expect(moveEdge({ start: '0:10', end: '0:30' }, edge, ms, LIMITS)).toEqual(expected);
});

test('a passage without a limit may be long, and one without an end gets one', () => {
  const limits = { ...LIMITS, longestMs: null };

  expect(moveEdge({ start: '0:10', end: '0:30' }, 'end', 80_000, limits)).toEqual({ start: '0:10', end: '1:20' });
  expect(moveEdge({ start: '', end: '' }, 'start', 20_000, limits)).toEqual({ start: '0:20', end: '0:30' });
  expect(moveEdge({ start: 'x', end: '' }, 'end', 20_000, limits)).toEqual({ start: '0:10', end: '0:20' });
});

test('typed times snap within a second, and dragged ones within some pixels', () => {
  const pauses = [pause(20_000)];

  expect([snapped(19_200, pauses), snapped(18_900, pauses)]).toEqual([20_000, 18_900]);
  expect([snapOf(10), snapOf(3000)]).toEqual([1000, 36_000]);
});
