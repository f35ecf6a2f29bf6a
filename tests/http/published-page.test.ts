import { expect, test } from 'vitest';
import { DAYS, later } from '~/server/base/time';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, clock } = await cast();
const app = pagesApp(runtime, env.urls);
const owner = await make.creator({ name: 'Vera' });
const { host, origin } = new URL(env.urls.appUrl);
const headers = { cookie: `token=${owner.token}`, host, origin };

/** The content, without the texts that the page loads for later. */
async function read(path: string): Promise<string> {
  const response = await app.request(`${env.urls.appUrl}${path}`, { headers });
  expect(response.status).toBe(200);
  return /<main.*<\/main>/s.exec(await response.text())![0];
}

const paidShow = (name: string) => make.product(owner, { name, priceMinor: 500 });

test('a private first episode is announced as one for subscribers, with the way to a trailer', async () => {
  const show = await paidShow('Tones at Dusk');
  await make.episodes(show, 1, () => ({ name: 'Evening', type: 'private' }));

  const html = await read(`/podcasts/${show.id}/published`);
  const spanish = await read(`/es/podcasts/${show.id}/published`);

  expect(html).toContain('“Evening” is for subscribers: they can listen now. Publish a trailer');
  expect(html).toContain(`href="/podcasts/${show.id}/episodes/create?type=trailer"`);
  expect(html).not.toContain('is live on your page');
  expect(html).not.toContain('Get it into the apps');
  expect(spanish).toContain('«Evening» es para suscriptores: ya pueden escucharlo. Publica un tráiler');
});

test('a trailer, a public episode and one in early access are announced as what they are', async () => {
  const trailer = await paidShow('First taste');
  await make.episodes(trailer, 1, () => ({ name: 'Taste', type: 'trailer' }));
  const open = await make.product(owner, { name: 'For all' });
  await make.episodes(open, 1, () => ({ name: 'Dawn', type: 'public' }));
  const early = await paidShow('Earlier');
  await make.episodes(early, 1, () => ({ name: 'Soon', type: 'public', earlyUntil: later(clock.now, DAYS(7)) }));

  const [ofTrailer, ofOpen, ofEarly] = await Promise.all(
    [trailer, open, early].map(({ id }) => read(`/podcasts/${id}/published`)),
  );

  expect(ofTrailer).toContain('The trailer “Taste” is live on your page and in podcast apps.');
  expect(ofTrailer).toContain('Publish the first episode');
  expect(ofOpen).toContain('“Dawn” is live on your page and in podcast apps.');
  expect(ofOpen).toContain('Get it into the apps');
  expect(ofEarly).toContain('Your subscribers can listen to “Soon” now. Everyone else can from');
});

test('a trailer whose show has an episode by now asks for no first episode, and counts as none', async () => {
  const show = await paidShow('Both');
  await make.episodes(show, 1, () => ({ name: 'Taste', type: 'trailer', slug: 'taste' }));
  await make.episodes(show, 1, () => ({ name: 'Meal', type: 'private', slug: 'meal', releaseAt: later(clock.now, 1) }));

  const html = await read(`/podcasts/${show.id}/published`);
  const { episodesCount, fullEpisodesCount } = await owner.api.products.forEditing({ id: show.id, kind: show.kind });

  expect(html).toContain('The trailer “Taste” is live');
  expect(html).not.toContain('Publish the first episode');
  expect([episodesCount, fullEpisodesCount]).toEqual([2, 1]);
});

test('a scheduled first episode is not announced as published', async () => {
  const show = await make.product(owner, { name: 'Later' });
  await make.episodes(show, 1, () => ({ name: 'Noon', status: 'scheduled', releaseAt: later(clock.now, DAYS(3)) }));

  const html = await read(`/podcasts/${show.id}/published`);

  expect(html).toContain('“Later” is scheduled');
  expect(html).toContain('“Noon” will be published on');
  expect(html).not.toContain('is live');
});

test('a feed without public episodes is not ready for directories', async () => {
  const show = await paidShow('All private');
  await make.episodes(show, 1, () => ({ name: 'Night', type: 'private' }));

  const html = await read(`/podcasts/${show.id}/distribution`);

  expect(html).toContain('Not yet.');
  expect(html).toContain('Your public feed is empty: all published episodes are for subscribers.');
  expect(html).toContain(`href="/podcasts/${show.id}/episodes/create?type=trailer"`);
});
