import { expect, test } from 'vitest';
import {
  type CampaignFacts,
  campaignStateOf,
  doOverlap,
  encodingOf,
  loudnessStep,
  nearestPause,
  overlap,
  pausesOf,
  proposedPauses,
  targetOf,
  templatePlaces,
} from '~/server/domain/insertions/rules';

const CAMPAIGN: CampaignFacts = {
  isComplete: true,
  isActive: true,
  failureReason: null,
  firstDay: '2026-11-10',
  lastDay: '2026-11-20',
  cap: 100,
  impressions: 99,
  endedAt: null,
  clips: 'ready',
};

test.each([
  ['running', '2026-11-10', {}],
  ['running', '2026-11-20', {}],
  ['running', '2030-01-01', { firstDay: null, lastDay: null }],
  ['scheduled', '2026-11-09', {}],
  ['ended', '2026-11-21', {}],
  ['ended', '2026-11-15', { impressions: 100 }],
  ['ended', '2026-11-15', { endedAt: new Date(0) }],
  ['ended', '2026-11-21', { isActive: false, clips: 'failed' }],
  ['paused', '2026-11-15', { isActive: false }],
  ['preparing', '2026-11-09', { clips: 'in_progress' }],
  ['failed', '2026-11-15', { clips: 'failed' }],
  ['failed', '2026-11-15', { isActive: false, failureReason: 'clip.too_long' }],
  ['draft', '2026-11-21', { isComplete: false }],
] as const)('a campaign is %s on %s with %o', (state, today, changed) => {
  expect(campaignStateOf({ ...CAMPAIGN, ...changed }, today)).toBe(state);
});

test.each([
  [true, ['2026-11-10', '2026-11-20'], ['2026-11-20', '2026-11-30']],
  [false, ['2026-11-10', '2026-11-20'], ['2026-11-21', '2026-11-30']],
  [true, ['2026-11-10', null], ['2027-01-01', '2027-01-02']],
  [false, ['2026-11-10', null], ['2026-11-01', '2026-11-09']],
  [true, [null, null], ['2026-11-01', '2026-11-09']],
] as const)('shared days: %s for %o and %o', (expected, one, other) => {
  const [a, b] = [one, other].map(([firstDay, lastDay]) => ({ firstDay, lastDay }));
  expect([overlap(a!, b!), overlap(b!, a!)]).toEqual([expected, expected]);
});

test.each([
  ['1/44100/2/128000', { sampleRate: 44_100, channels: 2, bitrate: 128_000 }],
  ['2/22050/1/64000', { sampleRate: 22_050, channels: 1, bitrate: 64_000 }],
  ['2.5/8000/1/16000', { sampleRate: 8000, channels: 1, bitrate: 16_000 }],
  // the average of a variable bit rate
  ['1/48000/2/128000', { sampleRate: 48_000, channels: 2, bitrate: 123_456 }],
])('the encoding %s', (expected, format) => {
  expect(encodingOf(format)).toBe(expected);
});

test('a clip is converted for the encoding and loudness of its version', () => {
  const stereo = targetOf({ encoding: '1/44100/2/128000', loudness: -16 });
  const quiet = targetOf({ encoding: '2.5/8000/1/16000', loudness: 0 });

  expect(stereo).toEqual({ version: 1, sampleRate: 44_100, channels: 2, bitrate: 128_000, lufs: -16 });
  expect(quiet).toEqual({ version: 2.5, sampleRate: 8000, channels: 1, bitrate: 16_000, lufs: null });
});

test.each([
  [-16, -164],
  [-17, -165.1],
  [0, null],
])('a loudness of %i LUFS', (expected, tenths) => {
  expect(loudnessStep(tenths)).toBe(expected);
});

const pause = (atMs: number, lengthMs = 600) => ({ startMs: atMs - lengthMs / 2, endMs: atMs + lengthMs / 2, atMs });

test('clips can play at pauses of 400 ms or more, away from the edges', () => {
  const silences = [
    { startMs: 0, endMs: 3000 },
    { startMs: 20_000, endMs: 20_399 },
    { startMs: 30_000, endMs: 30_400 },
    { startMs: 58_000, endMs: 59_000 },
  ];

  expect(pausesOf(silences, 60_000)).toEqual([{ startMs: 30_000, endMs: 30_400, atMs: 30_200 }]);
});

test.each([
  [20_000, 19_000, undefined],
  [20_000, 25_000, undefined],
  [30_000, 25_001, undefined],
  [null, 41_000, undefined],
  [null, 23_000, 2000],
] as const)('the pause at %s is the nearest to %i within %s', (expected, ms, withinMs) => {
  const pauses = [pause(20_000), pause(30_000)];

  expect(nearestPause(pauses, ms, withinMs)?.atMs ?? null).toBe(expected);
});

test('the longest pauses are proposed, far from each other and from the edges', () => {
  const pauses = [pause(30_000, 3000), pause(300_000, 900), pause(310_000, 2000), pause(700_000), pause(900_000)];

  expect(proposedPauses(pauses, 1_200_000).map(({ atMs }) => atMs)).toEqual([310_000, 700_000, 900_000]);
});

test('a short episode gets one proposal near its middle, however short it is', () => {
  const pauses = [pause(20_000), pause(41_000), pause(61_000)];

  expect(proposedPauses(pauses, 82_000).map(({ atMs }) => atMs)).toEqual([41_000]);
  const short = pausesOf(
    [9, 19, 29].map((second) => ({ startMs: 1000 * second, endMs: 1000 * second + 800 })),
    39_000,
  );
  expect(proposedPauses(short, 39_000).map(({ atMs }) => atMs)).toEqual([19_400]);
});

test.each([
  ['after the chapter that ends at a pause', ['after_intro'], { chapters: [0, 60_000] }, [61_000]],
  ['at the end of the intro, without a pause', ['after_intro'], { chapters: [0, 200_000] }, [200_000]],
  ['nowhere without chapters', ['after_intro'], {}, []],
  ['at the pause nearest to the middle', ['near_middle'], {}, [290_000]],
  ['at the last pause', ['before_end'], {}, [560_000]],
  ['nowhere without a pause near the end', ['before_end'], { pauses: [pause(61_000)] }, []],
  ['in order', ['before_end', 'after_intro'], { chapters: [0, 60_000] }, [61_000, 560_000]],
  [
    'once if two rules meet',
    ['near_middle', 'before_end'],
    { pauses: [pause(460_000), pause(330_000)] },
    [330_000, 460_000],
  ],
  ['nowhere in a short episode', ['near_middle'], { durationMs: 50_000, pauses: [pause(25_000)] }, []],
] as const)('a template marks a point %s', (_, rules, over, expected) => {
  const sound = { durationMs: 600_000, pauses: [pause(61_000), pause(290_000), pause(560_000)], chapters: [], ...over };

  expect(templatePlaces(rules, sound)).toEqual(expected);
});

test.each([
  [true, [0, 1000], [999, 2000]],
  [false, [0, 1000], [1000, 2000]],
  [true, [0, 5000], [1000, 2000]],
] as const)('shared sound: %s for %o and %o', (expected, one, other) => {
  const [a, b] = [one, other].map(([fromMs, toMs]) => ({ fromMs, toMs }));

  expect([doOverlap(a!, b!), doOverlap(b!, a!)]).toEqual([expected, expected]);
});
