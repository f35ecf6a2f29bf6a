import { expect, test } from 'vitest';
import { appsOn, DEVICES, tapsFor } from '~/app/features/listener/feed/taps';
import en from '~/locales/en/podcatcher.json';
import { FEED_APP_NAMES } from '~/server/domain/feeds/kinds';
import { siteMapsDoor } from '~/server/doors/site-maps';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, tom, podcast } = await cast();
const app = pagesApp(runtime, env.urls, { doors: [siteMapsDoor(runtime)] });
const { appUrl } = env.urls;
const { host, origin } = new URL(appUrl);

const open = (query: string, token = '') =>
  app.request(`${appUrl}/en/podcatcher${query}`, { headers: { host, origin, cookie: `token=${token}` } });

const read = async (query: string, token = '') => (await open(query, token)).text();

test('an iPhone has no apps of Android, and the other way round', () => {
  expect(appsOn('iphone')).toEqual(FEED_APP_NAMES.filter((name) => !['antennapod', 'podcast_addict'].includes(name)));
  expect(appsOn('android')).toEqual(['pocket_casts', 'antennapod', 'podcast_addict', 'other']);
});

test('each app has taps on each device that has it, and each tap has a text', () => {
  const taps = DEVICES.flatMap((device) => appsOn(device).map((name) => tapsFor(name, device)));
  expect(taps.filter((list) => list.length < 3)).toEqual([]);
  const texts: Record<string, string> = en;
  expect(taps.flat().filter(({ name }) => !texts[`taps.${name}`])).toEqual([]);
});

test('the page asks for the device, then for the app, and then shows the taps', async () => {
  expect(await read('')).not.toContain('id="apps"');
  expect(await read('?device=iphone')).toContain('device=iphone&amp;app=overcast#taps');
  const taps = await read('?device=iphone&app=overcast');
  expect(taps).toContain('3. Add it to Overcast');
  expect(taps).toContain('Choose “Add URL”.');
  expect(taps).not.toContain('overcast://');
});

test.each([
  ['en', '3. Add it to your app'],
  ['es', '3. Añádelo a tu app'],
])('an app that the page does not know is “your app” in its sentences (%s)', async (language, title) => {
  const url = `${appUrl}/${language}/podcatcher?device=android&app=other`;

  const html = await (await app.request(url, { headers: { host, origin } })).text();

  expect(html).toContain(title);
});

test.each(['en', 'es'])('the sitemap has the page (%s)', async (language) => {
  const sitemap = await (await app.request(`${appUrl}/sitemap-site-1.xml`)).text();

  expect(sitemap).toContain(`<loc>${appUrl}/${language}/podcatcher</loc>`);
});

test.each(['?device=fridge', '?device=iphone&app=antennapod', '?device=&app=', `?app=${'x'.repeat(5000)}`])(
  'the page asks again after the unknown choice %s',
  async (query) => {
    const response = await open(query);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('id="taps"');
  },
);

test('a listener gets the feed of the show for the chosen app, and the button that opens it there', async () => {
  const listener = await make.person();
  await listener.api.feeds.follow({ productId: podcast.id });
  const links = await listener.api.feeds.privateLinks({ productId: podcast.id });
  const own = links.find((link) => link.app === 'overcast')!;

  const html = await read(`?device=iphone&app=overcast&show=${podcast.id}`, listener.token);

  expect(html).toContain(`value="${own.url}"`);
  expect(html).toContain(`href="overcast://x-callback-url/add?url=${encodeURIComponent(own.url)}"`);
});

test('a visitor logs in before the page shows a feed, and comes back', async () => {
  const response = await open('?device=iphone&app=overcast&show=all');
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe(
    `/en/login?next=${encodeURIComponent('/en/podcatcher?device=iphone&app=overcast&show=all')}`,
  );
});

test('a show that a listener may not hear has no feed here', async () => {
  const other = await make.person();
  const response = await open(`?device=iphone&app=overcast&show=${podcast.id}`, other.token);
  expect(response.status).toBe(404);
  expect(await read('?show=0x10', tom.token)).not.toContain('/rss/');
});
