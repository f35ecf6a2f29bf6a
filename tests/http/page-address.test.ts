import { expect, test } from 'vitest';
import { makeUrls } from '~/server/base/urls';
import { addressReader } from '~/server/doors/pages/page-address';

const settings = {
  appUrl: 'https://altavoz.example',
  publicRoot: 'altavoz.example',
  creatorHostPrefix: '',
  mediaUrl: null,
};
const read = (creatorUrls: 'host' | 'path') => addressReader(makeUrls({ ...settings, creatorUrls }));
const SHOW = { domain: 'ada', slug: 'hums' };
const EPISODE = { ...SHOW, episodeSlug: 'uno' };

test.each([
  ['https://ada.altavoz.example/', { domain: 'ada' }],
  ['https://ada.altavoz.example/es', { domain: 'ada' }],
  ['https://altavoz.example/@ada', { domain: 'ada' }],
  ['/@ada', { domain: 'ada' }],
  ['https://ada.altavoz.example/p/hums', SHOW],
  ['https://ada.altavoz.example/es/p/hums/uno?x=1#a', EPISODE],
  ['/es/@ada/p/hums/uno', EPISODE],
  ['https://altavoz.example/embed/7?theme=dark', { type: 'episode', id: 7 }],
  ['https://altavoz.example/es/embed/p/3', { type: 'product', id: 3 }],
])('%s is read with creators on hosts of their own, and below the app', (address, expected) => {
  expect([read('host')(address), read('path')(address)]).toEqual([expected, expected]);
});

test.each([
  '',
  'ada',
  '/',
  '/login',
  '//other.example/@ada',
  'https://altavoz.example/',
  'https://altavoz.example/discover',
  'https://ada.altavoz.example/preview/secret',
  'https://ada.altavoz.example/p/hums/feed.xml/more',
  'https://other.example/@ada/p/hums',
  'ftp://altavoz.example/@ada',
  'javascript:alert(1)',
  `/@ada/p/${'x'.repeat(2000)}`,
  '/@ada/p/%00',
])('%j is no public page', (address) => {
  expect([read('host')(address), read('path')(address)]).toEqual([null, null]);
});
