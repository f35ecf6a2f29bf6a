import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast();
const app = pagesApp(runtime, env.urls);

const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, { name: 'Olas y viento' });
const [published] = await make.episodes(show, 4, (i) =>
  i === 0 ? {} : { status: (['scheduled', 'on_hold', 'failed'] as const)[i - 1]!, name: `Hidden ${i}` },
);

const { host, origin } = new URL(env.urls.appUrl);
const headers = { cookie: `token=${owner.token}`, host, origin };

async function read(path: string): Promise<string> {
  const response = await app.request(`${env.urls.appUrl}${path}`, { headers });
  expect(response.status).toBe(200);
  return response.text();
}

async function send(path: string, fields: Record<string, string>): Promise<Response> {
  return app.request(`${env.urls.appUrl}${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) });
}

/** What a browser without JavaScript shows in addition. */
async function withoutScript(path: string): Promise<string> {
  const html = await read(path);
  return [...html.matchAll(/<noscript>(.*?)<\/noscript>/gs)].map(([, part]) => part).join('\n');
}

test.each([`/edit/podcasts/${show.id}`, `/podcasts/${show.id}/episodes/${published!.id}`])(
  'without JavaScript, %s states what a deletion loses before its button shows',
  async (path) => {
    const html = await withoutScript(path);

    expect(html).toMatch(/<details[^>]*>.*This (?:permanently )?deletes.*<button[^>]*type="submit".*<\/details>/s);
    expect(html.replace(/<details.*?<\/details>/gs, '')).not.toContain('<button');
  },
);

test('the studio counts all episodes of a show, not only listed ones', async () => {
  expect(await withoutScript(`/edit/podcasts/${show.id}`)).toContain('its feed and 4 episodes');
  expect(await read('/products')).toMatch(/4 episodes/);
  expect(await read(`/podcasts/${show.id}`)).toMatch(/4 episodes/);
});

test('without JavaScript, links open the navigation on phones and list the shows', async () => {
  const html = await withoutScript('/products');

  expect(html).toContain('href="#studio-nav"');
  expect(html).toContain(`href="/podcasts/${show.id}"`);
});

test.each([
  ['/products/create', 'Creating a show needs JavaScript'],
  [`/podcasts/${show.id}/episodes/create`, 'Creating an episode needs JavaScript'],
])('without JavaScript, %s says that it needs it, and shows no button that would fail', async (path, sentence) => {
  const html = await read(path);

  expect(html).toContain(sentence);
  expect(html).toMatch(/data-needs-script[^>]*><button[^>]*type="submit"/);
});

test('without JavaScript, no address is “checking” for ever', async () => {
  const html = await (await send('/products/create', { name: 'Viento' })).text();

  expect(html).toContain('/p/viento');
  const visible = html.replace(/<(script)\b.*?<\/\1>|<(\w+) data-needs-script[^>]*>.*?<\/\2>/gs, '');
  expect(visible).not.toContain('checking…');
});

test('a text over its limit is kept whole, and says how much is too many', async () => {
  const html = await (await send('/products/create', { name: 'x'.repeat(150) })).text();

  expect(html).toContain(`value="${'x'.repeat(150)}"`);
  expect(html).toContain('150 of 100 characters: 50 too many');
});

test('the page about the first published episode opens once by itself, and stays at its address', async () => {
  const fresh = await make.product(owner, { name: 'Recién <b>nacido</b>', firstPublishSeenAt: null });
  const open = (path: string, over: Record<string, string> = {}) =>
    app.request(`${env.urls.appUrl}${path}`, { headers: { ...headers, ...over } });
  const path = `/podcasts/${fresh.id}`;

  expect((await open(path)).status).toBe(200);
  expect(await read(`${path}/published`)).toContain('Nothing is published yet');
  await make.episodes(fresh, 1, () => ({ name: 'Uno' }));
  expect((await open(path, { 'sec-purpose': 'prefetch' })).status).toBe(200);
  expect((await open(`/podcasts/${show.id}`)).status).toBe(200);
  expect((await open(`${path}/episodes/create`)).status).toBe(200);
  const moved = await open(`/es${path}`);
  expect([moved.status, moved.headers.get('location')]).toEqual([302, `/es${path}/published`]);
  const html = await read(`${path}/published`);
  for (const part of ['Recién &lt;b&gt;nacido', '“Uno”', 'https://wa.me/?text=', `href="${path}/distribution`])
    expect(html).toContain(part);
  expect((await open(path)).status).toBe(200);
  expect((await open('/dashboard')).status).toBe(200);
  expect((await open(`${path}/published`)).status).toBe(200);
});
