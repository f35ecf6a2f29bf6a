import { expect, test } from 'vitest';
import { serviceOfPrefix, withPrefixes } from '~/db/values/measurement-prefixes';
import { settingsOf } from '~/server/domain/products/schema';

const AUDIO = 'https://altavoz.example/audio/7/pilot.mp3';

test.each([
  ['https://op3.dev/e/', 'op3'],
  ['https://op3.dev/e,pg=c8a2b9a4-8a3e-5f2f-9d0c-9a5f7f3f6d1e/', 'op3'],
  ['https://dts.podtrac.com/redirect.mp3/', 'podtrac'],
  ['https://media.blubrry.com/olas_y_viento/', 'blubrry'],
  ['https://pdcn.co/e/', 'podcorn'],
  ['https://pscrb.fm/rss/p/', 'podscribe'],
  ['https://pdst.fm/e/', 'spotify'],
  ['https://prfx.byspotify.com/e/', 'spotify'],
  ['https://mgln.ai/e/294/', 'magellan'],
  ['https://clrtpod.com/m/', 'claritas'],
  ['http://op3.dev/e/', null],
  ['https://op3.dev/e', null],
  ['https://op3.dev.evil.example/e/', null],
  ['https://user@op3.dev/e/', null],
  ['https://op3.dev/e/evil.example/', null],
  ['https://media.blubrry.com/a/evil.example/', null],
  ['https://evil.example/https://op3.dev/e/', null],
  ['https://dts.podtrac.com/redirect.m4a/', null],
])('%s belongs to %s', (prefix, service) => {
  expect(serviceOfPrefix(prefix)).toBe(service);
});

test('the first prefix is outermost, and each is followed by an address without https://', () => {
  const prefixes = ['https://op3.dev/e/', 'https://dts.podtrac.com/redirect.mp3/'];

  expect(withPrefixes(AUDIO, prefixes)).toBe(
    'https://op3.dev/e/dts.podtrac.com/redirect.mp3/altavoz.example/audio/7/pilot.mp3',
  );
  expect(withPrefixes(`${AUDIO}?from=old`, prefixes.slice(0, 1))).toBe(
    'https://op3.dev/e/altavoz.example/audio/7/pilot.mp3?from=old',
  );
  expect(withPrefixes(AUDIO, [])).toBe(AUDIO);
  expect(withPrefixes('http://localhost:3000/audio/7/pilot.mp3', prefixes)).toBe(
    'http://localhost:3000/audio/7/pilot.mp3',
  );
});

test.each([
  ['https://evil.example/', 'product.prefix_unknown'],
  ['https://op3.dev/e/\nhttps://op3.dev/e/', 'product.prefix_twice'],
  ['https://pdst.fm/e/\nhttps://prfx.byspotify.com/e/', 'product.prefix_twice'],
  [
    ['op3.dev/e/', 'dts.podtrac.com/redirect.mp3/', 'pscrb.fm/rss/p/', 'pdcn.co/e/']
      .map((end) => `https://${end}`)
      .join('\n'),
    'product.too_many_prefixes',
  ],
])('%s fails with %s', (measurementPrefixes, code) => {
  const read = settingsOf('feed').safeParse({ id: 1, kind: 'podcast', measurementPrefixes });

  expect(read.error?.issues.map(({ message }) => message)).toEqual([code]);
});
