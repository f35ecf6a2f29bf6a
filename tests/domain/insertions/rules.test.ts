import { expect, test } from 'vitest';
import {
  type CampaignFacts,
  campaignStateOf,
  encodingOf,
  loudnessStep,
  overlap,
  targetOf,
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
