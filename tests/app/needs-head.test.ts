import { expect, test } from 'vitest';
import { needsHead } from '~/app/features/studio/product/needs-head';

const EPISODES = '/podcasts/7/episodes';

test.each([
  [EPISODES, `${EPISODES}?search=sea`, 'GET', false],
  [`${EPISODES}?page=2`, EPISODES, undefined, false],
  [EPISODES, `${EPISODES}?done=saved`, 'POST', true],
  [EPISODES, EPISODES, undefined, true],
  [EPISODES, '/podcasts/7/settings', undefined, true],
  [EPISODES, '/podcasts/8/episodes', undefined, true],
  [EPISODES, '/audio-series/7/episodes', undefined, true],
  [`${EPISODES}/3`, `${EPISODES}/4`, undefined, true],
  [`${EPISODES}/3?done=promo_saved`, `${EPISODES}/3`, undefined, false],
] as const)('from %s to %s by %s, the head of a show or an episode is loaded: %s', (from, to, formMethod, isLoaded) => {
  const [currentUrl, nextUrl] = [from, to].map((path) => new URL(path, 'https://altavoz.example')) as [URL, URL];
  const idIn = ({ pathname }: URL) => ({ id: pathname.split('/')[2], episodeId: pathname.split('/')[4] });
  const params = { currentParams: idIn(currentUrl), nextParams: idIn(nextUrl) };

  expect(needsHead({ currentUrl, nextUrl, ...params, formMethod, defaultShouldRevalidate: true })).toBe(isLoaded);
});
