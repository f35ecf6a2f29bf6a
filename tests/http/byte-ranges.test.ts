import { expect, test } from 'vitest';
import { decideRanges } from '~/server/http/byte-ranges';

const TAG = '"abc"';
const DATE = 'Sat, 21 Nov 2026 10:00:00 GMT';
const FILE = { etag: TAG, lastModified: DATE };
const whole = { kind: 'whole' };
const unsatisfiable = { kind: 'unsatisfiable' };
const parts = (...ranges: [number, number][]) => ({
  kind: 'parts',
  ranges: ranges.map(([start, end]) => ({ start, end })),
});
const part = (start: number, end: number) => ({ kind: 'part', start, end });

test.each([
  [undefined, whole],
  ['bytes=0-0', part(0, 0)],
  ['bytes=0-1', part(0, 1)],
  ['bytes=100-', part(100, 999)],
  ['bytes=100-5000', part(100, 999)],
  ['bytes=999-999', part(999, 999)],
  ['bytes=-1', part(999, 999)],
  ['bytes=-5000', part(0, 999)],
  ['Bytes=5-6', part(5, 6)],
  ['bytes= 5-6 ', part(5, 6)],
  ['bytes=1000-', unsatisfiable],
  ['bytes=1000-2000', unsatisfiable],
  ['bytes=-0', unsatisfiable],
  ['bytes=6-5', whole],
  ['bytes=', whole],
  ['bytes=-', whole],
  ['bytes=a-b', whole],
  ['bytes=0-1,5-6', parts([0, 1], [5, 6])],
  ['bytes=0-1, 5-6 ,-3', parts([0, 1], [5, 6], [997, 999])],
  ['bytes=5-6,2000-', part(5, 6)],
  ['bytes=1000-,-0', unsatisfiable],
  ['bytes=0-1,,5-6', whole],
  ['bytes=0-1,x', whole],
  ['bytes=0-,0-', whole],
  [`bytes=${'0-0,'.repeat(40)}1-1`, whole],
  ['items=0-1', whole],
  ['bytes=99999999999999999999-', whole],
])('Range: %s of a 1000-byte file', (range, expected) => {
  expect(decideRanges({ range }, 1000, FILE)).toEqual(expected);
});

test.each([
  [{ 'if-none-match': TAG }, { kind: 'unchanged' }],
  [{ 'if-none-match': 'W/"abc"' }, { kind: 'unchanged' }],
  [{ 'if-none-match': '"x", "abc"' }, { kind: 'unchanged' }],
  [{ 'if-none-match': '*' }, { kind: 'unchanged' }],
  [{ 'if-none-match': '"x"' }, whole],
  [{ 'if-none-match': TAG, range: 'bytes=0-1' }, { kind: 'unchanged' }],
  [{ 'if-range': TAG, range: 'bytes=0-1' }, part(0, 1)],
  [{ 'if-range': '"x"', range: 'bytes=0-1' }, whole],
  [{ 'if-range': 'W/"abc"', range: 'bytes=0-1' }, whole],
  [{ 'if-modified-since': DATE }, { kind: 'unchanged' }],
  [{ 'if-modified-since': DATE, 'if-none-match': '"x"' }, whole],
  [{ 'if-modified-since': 'Sun, 22 Nov 2026 10:00:00 GMT' }, whole],
  [{ 'if-range': DATE, range: 'bytes=0-1' }, whole],
])('the request headers %j', (headers, expected) => {
  expect(decideRanges(headers, 1000, FILE)).toEqual(expected);
});

test('an empty file has no range', () => {
  expect(decideRanges({ range: 'bytes=0-' }, 0, FILE)).toEqual(unsatisfiable);
});
