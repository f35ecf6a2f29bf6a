import { expect, test } from 'vitest';
import { TABLE } from '~/server/rest/table';

/** Every call of spec §7 that this version implements. */
const NOW = `
POST auth/login/
POST auth/logout/
POST auth/registration/
POST auth/password/reset/
GET auth/user/
PATCH auth/user/
GET gtm-data/
GET delete-account/
POST unsubscribe-from-new_episodes/
GET countries/
GET country-list/
GET user-country/
GET languages/
GET categories/
GET discover/
GET configurations/
GET coupons/
GET get-redirect-url/
POST generate-url-upload-file/
POST generate-url-upload-promo/
POST podcasts/
GET podcasts/
GET podcasts/:id/
PATCH podcasts/:id/
DELETE delete-podcast/:id/
GET open-podcast/:id/
GET podcasts/:id/episodes_list/
POST audio-series/
GET audio-series/
GET audio-series/:id/
PATCH audio-series/:id/
DELETE delete-audio-series/:id/
GET audio-series/:id/episodes_list/
GET all-audios/
POST episodes/
GET episodes/:id/
PATCH episodes/:id/
DELETE episodes/:id/
POST audio-series-episodes/
GET audio-series-episodes/:id/
PATCH audio-series-episodes/:id/
DELETE audio-series-episodes/:id/
GET open-episode/:id/
GET episode-promo-delete/:id/
GET other-episodes/:id/
GET podcast-episode-play/:id/
GET audio-series-episode-play/:id/
GET get-podcast-episode-url/:id/
GET get-audio-series-episode-url/:id/
POST podcast-episode-listen/:id/
POST audio-series-episode-listen/:id/
POST import-rss-feed/
GET validate-rss-feed/
POST validate-rss-feed/
POST rss-feed-completion/
POST rss-import-mark-episodes-private/
GET episode-analytics/:id/
GET audio-series-episode-analytics/:id/
GET podcast-analytics/:id/
GET audio-series-analytics/:id/
GET evolution-downloads-metrics/:id/
GET player-downloads-metrics/:id/
GET os-downloads-metrics/:id/
GET episodes-metrics-overview/:id
GET products-payout-amount/
GET request-payout/
GET check-transcription-credits/
POST create-episode-transcript/
`;

const lines = (text: string) => text.trim().split('\n');
const inTable = TABLE.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':id')}`);

test('the table has every call of this version and no other', () => {
  expect([...inTable].sort()).toEqual(lines(NOW).sort());
});

test('no call is listed twice', () => {
  expect(new Set(inTable).size).toBe(inTable.length);
});

test('every changing call needs a token, except login, registration, forgotten passwords, unsubscribing, listens and links', () => {
  const open = TABLE.filter(({ method, access }) => method !== 'GET' && (access === 'none' || access === 'optional'));

  expect(open.map(({ path }) => path)).toEqual([
    'auth/login/',
    'auth/registration/',
    'auth/password/reset/',
    'unsubscribe-from-new_episodes/',
    'podcast-episode-listen/:id/',
    'audio-series-episode-listen/:id/',
    'validate-rss-feed/',
  ]);
});
