import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { later, SECONDS } from '~/server/base/time';
import { cast } from '../support/cast';
import { PASSWORD } from '../support/make';
import { pagesApp } from '../support/pages-app';

const { runtime, env, clock, make, lucia, tom, podcast, episodes } = await cast();
const app = pagesApp(runtime, env.urls);
const { appUrl } = env.urls;
const { host, origin } = new URL(appUrl);
const show = `http://staging-${lucia.domain}.${host}/p/${podcast.slug}`;
const withNext = (path: string) => `${path}?next=${encodeURIComponent(show)}`;

const request = (path: string, { token, fields }: { token?: string; fields?: Record<string, string> } = {}) =>
  app.request(`${appUrl}${path}`, {
    method: fields ? 'POST' : 'GET',
    headers: { host, origin, ...(token && { cookie: `token=${token}` }) },
    body: fields && new URLSearchParams(fields),
  });
const goingTo = (response: Response) => response.headers.get('location');
const tokenOf = (response: Response) => /token=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')![1]!;

test('the studio leads listeners to their feed, and keeps creators and people who came to publish', async () => {
  const [seller, listener] = [await make.person(), await make.person()];
  await seller.api.start.giveReason({ reason: 'sell' });
  await listener.api.start.giveReason({ reason: 'listen' });

  expect(goingTo(await request('/dashboard', tom))).toBe('/feed');
  expect(goingTo(await request('/es/dashboard', listener))).toBe('/es/feed');
  expect((await request('/dashboard', seller)).status).toBe(200);
  expect((await request('/dashboard', lucia)).status).toBe(200);
  const feed = await (await request('/feed', tom)).text();
  expect(feed).toContain('href="/start/page"');
  expect(await (await request('/feed', lucia)).text()).not.toContain('href="/start/page"');
});

test('a listener who logs in comes home, or back to the show', async () => {
  const { email } = await make.person();
  const fields = { email, password: PASSWORD };

  const plain = await request('/login', { fields });
  const token = tokenOf(plain);
  const back = await request(withNext('/login'), { fields });

  expect(goingTo(await request(goingTo(plain)!, { token }))).toBe('/feed');
  expect(goingTo(back)).toBe(show);
  expect(goingTo(await request(withNext('/login'), { token }))).toBe(show);
});

test('a listener who signs up is asked why, without a list of creators’ steps, and comes home', async () => {
  const fields = { name: 'Nora', email: 'nora@mail.example', password: PASSWORD, country: 'ES', terms: 'on' };

  const signedUp = await request('/register', { fields });
  const token = tokenOf(signedUp);
  const asked = await (await request(goingTo(signedUp)!, { token })).text();
  const skipTo = /href="([^"]+)"[^>]*>(?:<[^>]+>)*Skip for now/.exec(asked)![1]!;
  const skipped = await request(skipTo, { token });
  const answered = await request('/start/reason', { token, fields: { reason: 'listen' } });

  expect(asked).toContain('value="listen"');
  expect(asked).not.toContain('aria-label="Steps to get started"');
  expect(goingTo(skipped)).toBe('/feed');
  expect(goingTo(await request(goingTo(answered)!, { token }))).toBe('/feed');
  expect(await (await request('/feed', { token })).text()).toContain('nora@mail.example');
});

test.each([
  ...['/start/page', '/es/start/page', '/products/import?url=https%3A%2F%2Fada.example%2Ffeed', '/dashboard'],
  ...['/plans', '/go-paid/plans', '/newsletter-settings'],
])('a person who signs up on the way to %s lands in the studio after a later log-in', async (next) => {
  const email = `nina${next.replace(/\W/g, '')}@mail.example`;
  const fields = { name: 'Nina', email, password: PASSWORD, country: 'ES', terms: 'on' };
  await request(`/register?next=${encodeURIComponent(next)}`, { fields });

  const loggedIn = await request('/login', { fields: { email, password: PASSWORD } });

  expect(goingTo(loggedIn)).toBe('/dashboard');
  const studio = await request('/dashboard', { token: tokenOf(loggedIn) });
  expect([studio.status, goingTo(studio)]).toEqual([200, null]);
});

test('a person who signs up on the way to a gift comes home to the feed', async () => {
  const email = 'noe@mail.example';
  const fields = { name: 'Noé', email, password: PASSWORD, country: 'ES', terms: 'on' };
  await request(`/register?next=${encodeURIComponent('/gift?token=start')}`, { fields });

  const loggedIn = await request('/login', { fields: { email, password: PASSWORD } });

  expect(goingTo(await request('/dashboard', { token: tokenOf(loggedIn) }))).toBe('/feed');
});

test('the verification email leads back to the show that the listener came from, and to no other site', async () => {
  const fields = (email: string) => ({ name: 'Noa', email, password: PASSWORD, country: 'ES', terms: 'on' });
  const linkTo = async (email: string) => {
    const [mail] = await runtime.db.select({ text: outbox.text }).from(outbox).where(eq(outbox.to, email));
    return /https?:\S+(\/verify-email\?\S+)/.exec(mail!.text)![1]!;
  };

  const signedUp = await request(withNext('/register'), { fields: fields('noa@mail.example') });
  await request(`/register?next=${encodeURIComponent('https://evil.example/')}`, {
    fields: fields('eve@mail.example'),
  });
  const [link, evil] = [await linkTo('noa@mail.example'), await linkTo('eve@mail.example')];
  const verified = await request(link, {
    token: tokenOf(signedUp),
    fields: { token: new URL(link, appUrl).searchParams.get('token')! },
  });

  expect(goingTo(signedUp)).toBe(show);
  expect(await verified.text()).toContain(`href="${show}"`);
  expect(await (await request(evil)).text()).not.toContain('href="https://evil.example');
});

test('the feed continues what was started elsewhere, and marks episodes as played, without JavaScript', async () => {
  const listener = await make.person();
  await listener.api.feeds.follow({ productId: podcast.id });
  await listener.api.listening.savePosition({ id: episodes.podcast.public.id, seconds: 42 });
  const fields = { intent: 'played', episodeId: String(episodes.podcast.public.id) };

  const before = await (await request('/feed', listener)).text();
  clock.now = later(clock.now, SECONDS(1));
  const marked = await request('/feed?search=primero&page=1', { ...listener, fields });
  const after = await (await request('/feed', listener)).text();
  clock.now = later(clock.now, SECONDS(1));
  await request('/feed', { ...listener, fields: { ...fields, intent: 'unplayed' } });

  expect(before).toContain('>Continue listening</h2>');
  expect(goingTo(marked)).toBe('/feed?search=primero&page=1');
  expect(after).not.toContain('>Continue listening</h2>');
  expect(after).toContain('value="unplayed"');
  expect(await (await request('/feed', listener)).text()).not.toContain('value="unplayed"');
  expect((await request('/feed', { ...listener, fields: { ...fields, episodeId: '999999' } })).status).toBe(404);
});

test('the feed is searched by words without accents, page by page', async () => {
  const listener = await make.person();
  const owner = await make.creator();
  const show = await make.product(owner, { name: 'Más allá' });
  await make.episodes(show, 14, (i) => ({ name: i === 3 ? 'La canción' : `Parte ${i}`, type: 'public' }));
  await listener.api.feeds.follow({ productId: show.id });
  const names = async (query: object) =>
    (await listener.api.feeds.episodes(query)).items.map(({ name }: { name: string }) => name);

  expect(await names({ search: 'cancion' })).toEqual(['La canción']);
  expect(await names({ search: 'mas alla' })).toHaveLength(12);
  expect(await names({ page: 2 })).toEqual(['Parte 1', 'Parte 0']);
  expect(await names({ search: 'zzz' })).toEqual([]);
  expect(await names({ search: '%' })).toEqual([]);
  const first = await (await request('/feed', listener)).text();
  expect(first).toContain('href="/feed?page=2"');
  expect(await (await request('/feed?search=zzz', listener)).text()).toContain('None of your shows');
  expect((await request('/feed?page=51', listener)).status).toBe(404);
});
