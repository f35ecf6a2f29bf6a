import { expect, test } from 'vitest';
import { LONGEST_SPAN_MS, speechSpans } from '~/server/recognition/speech-spans';

const STEP_MS = 50;
const soundOf = (seconds: number, quietAt: number[] = []) => ({
  stepMs: STEP_MS,
  powers: Array.from({ length: (seconds * 1000) / STEP_MS }, (_, step) => (quietAt.includes(step * STEP_MS) ? 0.1 : 1)),
});
const pause = (startMs: number, endMs: number) => ({ startMs, endMs });

test('speech between short pauses is one span, and a long pause ends it', () => {
  const silences = [pause(0, 1000), pause(3000, 3500), pause(6000, 9000)];

  expect(speechSpans(silences, soundOf(12))).toEqual([pause(900, 6100), pause(8900, 12_000)]);
});

test('a span ends at a pause before it is too long', () => {
  const silences = [pause(10_000, 10_500), pause(20_000, 20_500), pause(30_000, 30_500)];

  expect(speechSpans(silences, soundOf(40))).toEqual([pause(0, 20_100), pause(20_400, 40_000)]);
});

test('without a pause, speech is cut where it is quietest, and nothing is lost', () => {
  const spans = speechSpans([], soundOf(60, [17_000, 40_000]));

  expect(spans.map(({ startMs }) => startMs)).toEqual([0, 17_025, 40_025]);
  expect(spans.at(-1)!.endMs).toBe(60_000);
  for (const { startMs, endMs } of spans) expect(endMs - startMs).toBeLessThanOrEqual(LONGEST_SPAN_MS + 200);
});

test('silence and clicks have no span', () => {
  expect(speechSpans([pause(0, 5000)], soundOf(5))).toEqual([]);
  expect(speechSpans([pause(0, 3000), pause(3050, 6000)], soundOf(6))).toEqual([]);
});
