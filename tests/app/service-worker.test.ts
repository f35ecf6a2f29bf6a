import { expect, test } from 'vitest';
import { partOf, respondWithPart } from '~/app/service-worker/byte-part';
import { shellPathFor } from '~/app/service-worker/shell';
import { isOutdated } from '~/app/service-worker/stored';

test.each([
  ['bytes=0-', { from: 0, to: 10 }],
  ['bytes=2-4', { from: 2, to: 5 }],
  ['bytes=2-99', { from: 2, to: 10 }],
  ['bytes=-3', { from: 7, to: 10 }],
  ['bytes=-99', { from: 0, to: 10 }],
  ['bytes=10-', null],
  ['bytes=5-4', null],
  ['bytes=-', null],
  ['bytes=0-1,3-4', null],
  ['seconds=1-2', null],
])('%s of ten bytes is %j', (header, part) => {
  expect(partOf(header, 10)).toEqual(part);
});

test('a saved file is sent whole, in part, or not at all', async () => {
  const saved = () => new Response('0123456789');
  const send = async (range: string | null) => {
    const response = await respondWithPart(saved(), range);
    return [response.status, response.headers.get('content-range'), await response.text()];
  };

  expect(await send(null)).toEqual([200, null, '0123456789']);
  expect(await send('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
  expect(await send('bytes=12-')).toEqual([416, 'bytes */10', '']);
});

test.each([
  ['/', '/saved'],
  ['/es', '/es/saved'],
  ['/es/p/ruido', '/es/saved'],
  ['/escuela', '/saved'],
  ['/en/discover', '/saved'],
])('without a connection, %s opens %s', (pathname, path) => {
  expect(shellPathFor(pathname)).toBe(path);
});

test('an access that was not checked for 30 days no longer counts', () => {
  const day = 86_400_000;

  expect([isOutdated({ checkedAt: 0 }, 30 * day), isOutdated({ checkedAt: 0 }, 30 * day + 1)]).toEqual([false, true]);
});
