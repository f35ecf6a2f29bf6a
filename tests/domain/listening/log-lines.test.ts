import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readLines } from '~/server/base/read-lines';
import { lineReader } from '~/server/domain/listening/log-lines';

const CLOUDFRONT =
  '#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query sc-range-start sc-range-end';

function cloudFront(cells: string): unknown {
  const read = lineReader('cloudfront');
  for (const line of CLOUDFRONT.split('\n')) expect(read(line)).toBeNull();
  return read(cells.replaceAll(' ', '\t'));
}

test('a CloudFront line, with its range', () => {
  expect(
    cloudFront(
      '2026-11-20 10:15:01 MAD50-C1 1001000 203.0.113.9 GET d1.cloudfront.net /audio/7/one.mp3 206 - Overcast/3.0%20(+http://overcast.fm/;%20iOS) feed=abc 1000 1000999',
    ),
  ).toEqual({
    at: new Date('2026-11-20T10:15:01Z'),
    ...{ method: 'GET', status: 206, url: '/audio/7/one.mp3?feed=abc', bytes: 1_001_000 },
    range: { from: 1000, to: 1_001_000 },
    ...{ address: '203.0.113.9', userAgent: 'Overcast/3.0 (+http://overcast.fm/; iOS)', referrer: undefined },
  });
});

test('a CloudFront file of other fields is read by their names, and without them by the usual ones', () => {
  const read = lineReader('cloudfront');
  expect(read('#Fields: c-ip time date cs-uri-stem sc-status cs-method')).toBeNull();

  expect(read('2001:db8::1\t10:15:01\t2026-11-20\t/a\t200\tGET')).toMatchObject({ address: '2001:db8::1', url: '/a' });
  expect(lineReader('cloudfront')('2026-11-20\t10:15:01\tX\t5\t203.0.113.9\tGET\th\t/a\t200\t-\tA/1\t-')).toMatchObject(
    { bytes: 5, userAgent: 'A/1' },
  );
});

const FASTLY = {
  timestamp: '2026-11-20T10:15:01+0100',
  client_ip: '203.0.113.9',
  url: '/audio/7/one.mp3',
  request_method: 'GET',
  response_status: 200,
  response_body_size: 500,
  request_user_agent: 'AntennaPod/3.1.2',
  request_referer: '',
};

test.each([
  ['JSON', JSON.stringify(FASTLY)],
  ['JSON behind a syslog header', `<134>2026-11-20T09:15:01Z cache-mad1 podcasts[62959]: ${JSON.stringify(FASTLY)}`],
])('a Fastly line: %s', (_, line) => {
  expect(lineReader('fastly')(line)).toMatchObject({
    ...{ at: new Date('2026-11-20T09:15:01Z'), status: 200, bytes: 500, range: null },
    ...{ userAgent: 'AntennaPod/3.1.2', address: '203.0.113.9' },
  });
});

test.each([
  [{ response_content_range: 'bytes 100-599/9000' }, { from: 100, to: 600 }],
  [{ request_range: 'bytes=100-' }, { from: 100, to: 600 }],
  [{ request_range: 'bytes=100-299' }, { from: 100, to: 300 }],
  [{ request_range: 'bytes=-500' }, null],
  [{ request_range: 'bytes=0-1,5-9' }, null],
  [{ request_range: 'bytes=9-5' }, null],
])('the range of a Fastly line with %j', (over, range) => {
  expect(lineReader('fastly')(JSON.stringify({ ...FASTLY, response_status: 206, ...over }))).toMatchObject({ range });
});

test('a combined line, with an escaped user agent and a time of a zone', () => {
  const line =
    '2001:db8::9 - - [20/Nov/2026:10:15:01 +0200] "GET /audio/7/one.mp3?from=old HTTP/2.0" 206 961000 "https://a.example/\\"x\\"" "App \\x22quoted\\x22/1"';

  expect(lineReader('combined')(line)).toEqual({
    at: new Date('2026-11-20T08:15:01Z'),
    ...{ method: 'GET', status: 206, url: '/audio/7/one.mp3?from=old', bytes: 961_000, range: null },
    ...{ address: '2001:db8::9', userAgent: 'App "quoted"/1', referrer: 'https://a.example/"x"' },
  });
});

test.each([
  ['combined', 'nonsense'],
  ['combined', '1.2.3.4 - - [20/Nov/2026:10:15:01 +0000] "\\x16\\x03\\x01" 400 0 "-" "-"'],
  ['combined', `1.2.3.4 - - [20/Nov/2026:10:15:01 +0000] "${'\\a'.repeat(20_000)}`],
  ['fastly', '{"client_ip": '],
  ['fastly', '{"client_ip": "1.2.3.4"}'],
  ['fastly', '{}'],
  ['fastly', '{"client_ip": {"toString": 1}, "timestamp": {"toString": null}, "url": [{"toString": ""}]}'],
  ['cloudfront', '2026-11-20\t10:00:00'],
  ['cloudfront', '\0\0\0'],
] as const)('a %s line is unreadable', (format, line) => {
  expect(lineReader(format)(line)).toBe('unreadable');
});

test.each(['32/Nov/2026:10:15:01 +0000', '20/Abc/2026:10:15:01 +0000', 'yesterday'])('%s is no time', (time) => {
  expect(lineReader('combined')(`1.2.3.4 - - [${time}] "GET /a HTTP/1.1" 200 5 "-" "A/1"`)).toBe('bad_time');
});

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([1, 3, 1000])(
  'lines arrive in parts of %i bytes, compressed or not, and long ones are named',
  async (size) => {
    const text = `one\r\n${'x'.repeat(40)}\n\ntwo ñ\n${'y'.repeat(40)}`;
    const lines = async (bytes: Buffer) => {
      const found: (string | null)[] = [];
      for await (const line of readLines(inParts(bytes, size), 20)) found.push(line);
      return found;
    };
    const members = Buffer.concat([gzipSync(text.slice(0, 9)), gzipSync(text.slice(9))]);

    for (const bytes of [Buffer.from(text), gzipSync(text), members])
      expect(await lines(bytes)).toEqual(['one', null, '', 'two ñ', null]);
    await expect(lines(gzipSync(text).subarray(0, 20))).rejects.toThrow();
  },
);
