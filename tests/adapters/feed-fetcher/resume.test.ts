import { expect, test } from 'vitest';
import {
  isContinuation,
  isResumable,
  type Progress,
  progressOf,
  rangeHeaders,
} from '~/server/adapters/feed-fetcher/resume';

const FROM = 500;
const DATE = 'Tue, 03 Mar 2026 08:05:09 GMT';
const OTHER_DATE = 'Tue, 03 Mar 2026 08:05:10 GMT';

const known = (more: Partial<Progress> = {}): Progress => ({
  url: 'https://a.example/7.mp3',
  etag: null,
  lastModified: null,
  total: 1000,
  contentType: 'audio/mpeg',
  ...more,
});
const responseWith = (headers: Record<string, string>, status = 206) => ({
  status,
  headers: new Map(Object.entries(headers)),
});
const rest = (headers: Record<string, string> = {}) =>
  responseWith({ 'content-range': 'bytes 500-999/1000', ...headers });

test.each<[string, Progress, ReturnType<typeof responseWith>]>([
  ['the same ETag', known({ etag: '"1"' }), rest({ etag: '"1"' })],
  ['the same date', known({ lastModified: DATE }), rest({ 'last-modified': DATE })],
  [
    'the same ETag and no date, which a 206 may omit',
    known({ etag: '"1"', lastModified: DATE }),
    rest({ etag: '"1"' }),
  ],
  ['only the same length', known(), rest()],
  ['the same length and no ETag', known({ etag: '"1"' }), rest()],
  [
    'the same ETag, without a length',
    known({ etag: '"1"' }),
    rest({ etag: '"1"', 'content-range': 'bytes 500-999/*' }),
  ],
  ['the same ETag, without an earlier length', known({ etag: '"1"', total: null }), rest({ etag: '"1"' })],
])('a response with %s may be the rest of the file', (_, before, response) => {
  expect(isContinuation(response, FROM, before)).toBe(true);
});

test.each<[string, Progress, ReturnType<typeof responseWith>]>([
  ['another ETag', known({ etag: '"1"' }), rest({ etag: '"2"' })],
  ['a weak ETag instead of a strong one', known({ etag: '"1"' }), rest({ etag: 'W/"1"' })],
  ['another weak ETag', known({ etag: 'W/"1"' }), rest({ etag: 'W/"2"' })],
  ['another date', known({ lastModified: DATE }), rest({ 'last-modified': OTHER_DATE })],
  [
    'another date and the same ETag',
    known({ etag: '"1"', lastModified: DATE }),
    rest({ etag: '"1"', 'last-modified': OTHER_DATE }),
  ],
  ['another length', known({ etag: '"1"' }), rest({ etag: '"1"', 'content-range': 'bytes 500-999/1001' })],
  ['no length and no ETag', known(), rest({ 'content-range': 'bytes 500-999/*' })],
  ['no length and a weak ETag', known({ etag: 'W/"1"' }), rest({ etag: 'W/"1"', 'content-range': 'bytes 500-999/*' })],
  [
    'no length in either response, and only a date',
    known({ total: null, lastModified: DATE }),
    rest({ 'last-modified': DATE }),
  ],
  ['another start', known(), rest({ 'content-range': 'bytes 501-999/1000' })],
  ['no Content-Range', known(), responseWith({ 'content-length': '500' })],
  ['several ranges', known(), responseWith({ 'content-type': 'multipart/byteranges; boundary=x' })],
  ['an encoding', known(), rest({ 'content-encoding': 'gzip' })],
  ['the whole file', known(), responseWith({ 'content-length': '1000' }, 200)],
  ['an unsatisfiable range', known(), responseWith({ 'content-range': 'bytes */1000' }, 416)],
])('a response with %s is not the rest of the file', (_, before, response) => {
  expect(isContinuation(response, FROM, before)).toBe(false);
});

test.each([
  [known({ etag: '"1"', lastModified: DATE }), '"1"'],
  [known({ etag: 'W/"1"', lastModified: DATE }), DATE],
  [known({ etag: '"1", "2"' }), undefined],
  [known({ etag: '"é"' }), undefined],
  [known(), undefined],
])('the rest of the file is requested with the strongest validator', (before, condition) => {
  expect(rangeHeaders(FROM, before)).toEqual({ range: 'bytes=500-', ...(condition && { 'if-range': condition }) });
});

test('an encoded body has no validators to resume with', () => {
  const headers = { etag: '"1"', 'last-modified': DATE, 'content-length': '1000', 'content-encoding': 'gzip' };

  const progress = progressOf('https://a.example/7.mp3', responseWith(headers, 200));

  expect(progress).toMatchObject({ etag: null, lastModified: null, total: null });
  expect(isResumable(progress)).toBe(false);
});
