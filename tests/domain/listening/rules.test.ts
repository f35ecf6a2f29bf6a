import { expect, test } from 'vitest';
import * as rules from '~/server/domain/listening/rules';

test.each([
  ['60 seconds', 60, false],
  ['slightly more', 60.1, true],
])('a listen needs more than 60 seconds (spec §9): %s', (_, seconds, expected) => {
  expect(rules.isListen(seconds)).toBe(expected);
});

test.each([
  ['two minutes: half of the audio', { bytes: 2_001_000, headBytes: 1000, durationMs: 120_000 }, 1_000_000],
  ['an hour', { bytes: 57_600_000, headBytes: 0, durationMs: 3_600_000 }, 960_000],
  ['exactly one minute: all of it', { bytes: 960_500, headBytes: 500, durationMs: 60_000 }, 960_000],
  ['ten seconds: all of it', { bytes: 160_500, headBytes: 500, durationMs: 10_000 }, 160_000],
])('bytes for a download: %s', (_, audio, expected) => {
  expect(rules.neededBytes(audio)).toBe(expected);
});

test.each([
  [
    { from: 0, to: 5000 },
    { from: 1000, to: 5000 },
  ],
  [{ from: 0, to: 1000 }, null],
  [
    { from: 500, to: 999_999 },
    { from: 1000, to: 10_000 },
  ],
  [{ from: 3000, to: 3000 }, null],
])('the audio part of %o is %o', (span, expected) => {
  expect(rules.contentSpan(span, { bytes: 10_000, headBytes: 1000, durationMs: 1 })).toEqual(expected);
});

test('spans that touch or overlap are merged', () => {
  const spans = [
    { from: 50, to: 60 },
    { from: 0, to: 10 },
    { from: 10, to: 20 },
    { from: 15, to: 30 },
    { from: 52, to: 55 },
  ];

  expect(rules.toMultirange(rules.mergeSpans(spans))).toBe('{[0,30),[50,60)}');
  expect(rules.totalBytes(spans)).toBe(40);
  expect(rules.toMultirange([])).toBe('{}');
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1::', '2001:db8:1:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2'],
  ['', ''],
])('the network prefix of %s is %s', (address, expected) => {
  expect(rules.networkPrefix(address)).toBe(expected);
});

test('a request for two bytes is a probe, for three it is not', () => {
  expect(rules.isProbe({ from: 0, to: 2 })).toBe(true);
  expect(rules.isProbe({ from: 0, to: 3 })).toBe(false);
  expect(rules.isProbe(null)).toBe(false);
});
