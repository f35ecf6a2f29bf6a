import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { products } from '~/db/schema/products';
import { spotifyLinks, spotifyShows } from '~/db/schema/spotify';
import { cast } from '../support/cast';
import { legacyClient } from '../support/legacy';
import { pagesApp } from '../support/pages-app';
import { spotifyStage } from '../support/spotify';

const staged = await cast();
const { runtime, env, make, clock, lucia, ada, tom, paidPodcast } = staged;
const { sandbox, agree, link } = await spotifyStage(staged);
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const { appUrl } = env.urls;
const { host, origin } = new URL(appUrl);
const api = legacyClient(staged);

const headersOf = (person: { token: string } | null) => ({
  ...{ host, origin },
  ...(person && { cookie: `token=${person.token}` }),
});
const open = (person: { token: string } | null, path: string) =>
  app.request(`${appUrl}${path}`, { headers: headersOf(person) });
const send = (person: { token: string } | null, fields: Record<string, string>, path = '/spotify') =>
  app.request(`${appUrl}${path}`, { method: 'POST', headers: headersOf(person), body: new URLSearchParams(fields) });
const callback = (person: { token: string } | null, query: Record<string, string>) =>
  open(person, `/spotify/callback?${new URLSearchParams(query)}`);
const goingTo = (response: Response) => response.headers.get('location') ?? '';
const linkOf = async (userId: number) =>
  (await db.select().from(spotifyLinks).where(eq(spotifyLinks.userId, userId)))[0];

test('the form leads to Spotify, and its answer to the page that completes the link; the address is not kept', async () => {
  const nora = await make.person();
  const begun = await send(nora, { intent: 'link' });
  expect(begun.status).toBe(303);
  const answer = await agree(goingTo(begun), 'nora');

  const finished = await callback(nora, answer as Record<string, string>);

  expect(finished.status).toBe(302);
  expect(goingTo(finished)).toMatch(/\/_sandbox\/spotify\/completed$/);
  expect(finished.headers.get('cache-control')).toBe('no-store');
  expect(finished.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await (await open(nora, '/spotify')).text()).toContain('Linked with nora.');
});

test('a forged answer links nothing: without a session, in another one, with a made-up, used, or absent state', async () => {
  const [nora, eve] = [await make.person(), await make.person()];
  const answer = (await agree((await nora.api.spotify.link()).url, 'forged')) as Record<string, string>;

  const anonymous = await callback(null, answer);
  expect(goingTo(anonymous)).toContain('/login');
  for (const [person, query] of [
    [eve, answer],
    [nora, { ...answer, state: 'made-up' }],
    [nora, { code: answer.code! }],
    [nora, { ...answer, state: 'x'.repeat(2001) }],
    [nora, { state: '\0', code: '\0' }],
  ] as const)
    expect(goingTo(await callback(person, query))).toBe('/spotify?problem=linking_expired');
  expect([await linkOf(nora.id), await linkOf(eve.id)]).toEqual([undefined, undefined]);

  // Spotify's own answer still works, once
  expect(goingTo(await callback(nora, answer))).toContain('/completed');
  expect(goingTo(await callback(nora, answer))).toBe('/spotify?problem=linking_expired');
  expect(await (await open(nora, '/spotify?problem=linking_expired')).text()).toContain('Start again.');
});

test('two users with one account at Spotify: the second one reads why, and the first one keeps the link', async () => {
  const [nora, eve] = [await make.person(), await make.person()];
  await link(nora, 'one-account');
  const answer = (await agree((await eve.api.spotify.link()).url, 'one-account')) as Record<string, string>;

  expect(goingTo(await callback(eve, answer))).toBe('/spotify?problem=linked_elsewhere');
  expect(await (await open(eve, '/spotify?problem=linked_elsewhere')).text()).toContain(
    'User already linked to another account.',
  );
  expect(await linkOf(nora.id)).toMatchObject({ state: 'linked' });
  expect(await linkOf(eve.id)).toBeUndefined();
});

test('a user who links a second account of Spotify hears with that one only', async () => {
  const nora = await make.person();
  await link(nora, 'first');
  await link(nora, 'second');
  const { partnerUserId } = (await linkOf(nora.id))!;
  const users = await sandbox.store.listUsers(200);

  expect(users.map(({ account }) => account)).toContain('sandbox-other-second');
  expect(users.map(({ account }) => account)).not.toContain('sandbox-other-first');
  expect(await sandbox.store.entitlementsOf(partnerUserId)).toEqual([]);
});

test('no problem is shown that Spotify’s page can’t have', async () => {
  const html = await (await open(tom, '/spotify?problem=<script>')).text();
  expect(html).not.toContain('role="alert"');
});

test('forms about another creator’s show, about no show, and with a wrong ID change nothing', async () => {
  await link(ada, 'ada');
  for (const intent of ['publish', 'withdraw', 'check'])
    for (const productId of [String(paidPodcast.id), '0', 'x', '9'.repeat(30), '']) {
      const { status } = await send(ada, { intent, productId });
      expect([intent, productId, status >= 400 && status < 500]).toEqual([intent, productId, true]);
    }
  expect((await send(ada, { intent: 'unknown' })).status).toBeLessThan(500);
  expect(await db.$count(spotifyShows)).toBe(0);
});

test('the creator publishes by the form, and shows that can’t be there have the reason in place of a button', async () => {
  await link(lucia, 'lucia');
  const drips = await make.product(lucia, { name: 'Gota a gota', dripDays: 7, priceMinor: 499 });
  await make.product(lucia, { name: 'Archivado', archivedAt: clock.now });

  const done = await send(lucia, { intent: 'publish', productId: String(paidPodcast.id) });
  expect(goingTo(done)).toBe('/spotify?done=spotify_published');
  const html = await (await open(lucia, '/spotify')).text();

  expect(html).toContain('Approval takes up to 48 hours.');
  expect(html).toContain('Being sent to Spotify');
  expect(html).toContain('This show opens its episodes to each subscriber one after the other');
  expect(html).toContain('Unarchive the show first.');
  const buttons = html.match(/name="productId" value="\d+"/g)!;
  expect(buttons).not.toContain(`name="productId" value="${drips.id}"`);
});

test('REST says whether an account is linked, and whether shows can be published', async () => {
  const nora = await make.person();
  const flags = async (person: { token: string }) => {
    const { body } = await api.get('auth/user/', { token: person.token });
    return [body.is_soa_linked, body.give_spotify_access];
  };
  expect(await flags(nora)).toEqual([false, false]);
  await link(nora, 'flags');
  expect(await flags(nora)).toEqual([true, false]);
  expect(await flags(lucia)).toEqual([true, true]);
  await nora.api.spotify.unlink();
  expect(await flags(nora)).toEqual([false, false]);
});

test('the public page of an approved show has its address at Spotify, and REST, too', async () => {
  const url = 'https://open.spotify.com/show/4rOoJ6Egrf8K2IrywzwOMk';
  await db.update(products).set({ spotifyShowUrl: url }).where(eq(products.id, paidPodcast.id));
  const page = await app.request(`http://localhost:3000/@${lucia.domain}/p/${paidPodcast.slug}`, {
    headers: { host: 'localhost:3000' },
  });

  expect(await page.text()).toContain(`href="${url}"`);
  const { body } = await api.get(`open-podcast/${paidPodcast.id}/`);
  expect(body.spotify_show_url).toBe(url);
});

test('an installation without a contract says what is needed, in both languages, and every form says so', async () => {
  const { openAccess, delivery } = runtime.ports.spotify;
  Object.assign(runtime.ports.spotify, { openAccess: null, delivery: null });
  try {
    const [en, es] = await Promise.all(
      ['/spotify', '/es/spotify'].map(async (path) => (await open(lucia, path)).text()),
    );
    expect(en).toContain('a partner ID from Spotify');
    expect(es).toContain('un ID de socio de Spotify');
    for (const html of [en!, es!]) {
      expect(html).not.toMatch(/<button[^>]*value="(?:link|publish|check)"/);
      expect(/>(?:Paid episodes in|Episodios de pago en)/.test(html)).toBe(false);
    }
    for (const intent of ['link', 'publish']) {
      const response = await send(lucia, { intent, productId: String(paidPodcast.id) });
      expect(response.status).toBe(409);
      expect(await response.text()).toContain('This installation isn’t connected with Spotify.');
    }
    expect(goingTo(await callback(lucia, { state: 's', code: 'c' }))).toBe('/spotify?problem=not_offered');
    const feed = await (await open(tom, '/profile')).text();
    expect(feed).not.toContain('href="/spotify"');
    const { body } = await api.get('auth/user/', { token: lucia.token });
    expect(body.give_spotify_access).toBe(false);
  } finally {
    Object.assign(runtime.ports.spotify, { openAccess, delivery });
  }
});
