import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { cast } from '../support/cast';
import { PASSWORD } from '../support/make';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, lucia, tom, podcast } = await cast();
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
  const answered = await request('/start/reason', { token, fields: { reason: 'listen' } });

  expect(asked).toContain('value="listen"');
  expect(asked).not.toContain('aria-label="Steps to get started"');
  expect(goingTo(await request(goingTo(answered)!, { token }))).toBe('/feed');
  expect(await (await request('/feed', { token })).text()).toContain('nora@mail.example');
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
  const verified = await request(link, { fields: { token: new URL(link, appUrl).searchParams.get('token')! } });

  expect(goingTo(signedUp)).toBe(show);
  expect(await verified.text()).toContain(`href="${show}"`);
  expect(await (await request(evil)).text()).not.toContain('href="https://evil.example');
});
