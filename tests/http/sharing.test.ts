import { eq } from 'drizzle-orm';
import { XMLParser } from 'fast-xml-parser';
import { beforeAll, expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { LANGUAGES } from '~/locales/languages';
import { SLUGS } from '~/locales/slugs';
import { SECONDS } from '~/server/base/time';
import { oembedDoor } from '~/server/doors/pages/oembed';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast({ empty: true, settings: { CREATOR_URLS: 'path' } });
const { db } = runtime;
const APP = env.urls.appUrl;
const HOST = 'http://staging-lucia.altavoz.localhost:3000';
const app = pagesApp(runtime, env.urls, { doors: [oembedDoor(runtime)] });

const TITLE = `]]></title><script>alert(1)</script> "comillas" & 'más' \u0007 مرحبا 🎧 ${'largo '.repeat(80)}`.slice(
  0,
  500,
);
const lucia = await make.creator({ domain: 'lucia' });
const show = await make.product(lucia, { slug: 'ruido', name: 'Ruido & <nueces>' });
const [open, draft, hidden, second] = await make.episodes(show, 25, (i) => ({
  slug: `parte-${i + 1}`,
  name: i === 0 ? TITLE : `Parte ${i + 1}`,
  season: 1 + (i % 2),
  durationMs: SECONDS(96),
  type: i === 2 ? 'private' : 'public',
}));
const paid = await make.product(lucia, { slug: 'club', name: 'Club', priceMinor: 500 });
const [locked] = await make.episodes(paid, 1, () => ({ type: 'private', slug: 'socios', name: 'Para socios' }));
const archived = await make.product(lucia, { slug: 'viejo', archivedAt: runtime.now() });
const [ofArchived] = await make.episodes(archived, 1, () => ({ slug: 'uno' }));
const retired = await make.product(lucia, { slug: 'retirado', retiredAt: runtime.now() });

beforeAll(() => db.update(episodes).set({ status: 'on_hold' }).where(eq(episodes.id, draft!.id)));

async function read(path: string) {
  const response = await app.request(`${APP}${path}`, { headers: { 'accept-language': 'en' } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const ask = (url: string, more = '') => read(`/oembed?url=${encodeURIComponent(url)}${more}`);
const attributesOf = (tag: string) =>
  Object.fromEntries([...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name!.toLowerCase(), value!]));
const tags = (html: string, name: string) => html.match(new RegExp(`<${name} [^>]*>`, 'g'))?.map(attributesOf) ?? [];
const linksOf = (html: string, rel: string) => tags(html, 'link').filter((link) => link.rel === rel);
const metaOf = (html: string, name: string) =>
  tags(html, 'meta').find((each) => each.name === name || each.property === name)?.content;

const siteRow = ([name, slugs]: [string, Record<'en' | 'es', string>]) =>
  [name, { en: `/en/${slugs.en}`, es: `/es/${slugs.es}`, none: `/${slugs.en}` }] as const;
const pages = [
  ['the home page', { en: '/en', es: '/es', none: '/' }],
  ...Object.entries(SLUGS).map(siteRow),
  ['the contact form', { en: '/en/contact', es: '/es/contact', none: '/contact' }],
  ...['/@lucia', '/@lucia/p/ruido', '/@lucia/p/ruido/parte-1'].map(
    (path) => [path, { en: `/en${path}`, es: `/es${path}`, none: path }] as const,
  ),
  ...['?season=2', '?page=2'].map((query) => {
    const path = `/@lucia/p/ruido${query}`;
    return [path, { en: `/en${path}`, es: `/es${path}`, none: path }] as const;
  }),
] as const;

test.each(pages)('%s names its one address in each language', async (_, paths) => {
  for (const language of LANGUAGES) {
    const { status, text } = await read(paths[language]);
    const alternates = linksOf(text, 'alternate').filter((link) => link.hreflang !== undefined);

    expect(status).toBe(200);
    expect(text).toContain(`<html lang="${language}"`);
    expect(linksOf(text, 'canonical').map(({ href }) => href)).toEqual([`${APP}${paths[language]}`]);
    expect(Object.fromEntries(alternates.map(({ hreflang, href }) => [hreflang, href]))).toEqual({
      en: `${APP}${paths.en}`,
      es: `${APP}${paths.es}`,
      'x-default': `${APP}${paths.none}`,
    });
    expect(metaOf(text, 'og:url')).toBe(`${APP}${paths[language]}`);
    expect(metaOf(text, 'og:locale')).toBe(language === 'en' ? 'en_US' : 'es_ES');
  }
});

test('pages link to their oEmbed answer, and to a player only if visitors can play', async () => {
  const [episode, product, paidEpisode] = await Promise.all(
    ['/en/@lucia/p/ruido/parte-1', '/en/@lucia/p/ruido?page=2', '/en/@lucia/p/club/socios'].map(read),
  );
  const player = (html: string) =>
    ['card', 'player', 'player:width', 'player:height'].map((name) => metaOf(html, `twitter:${name}`));

  expect(player(episode!.text)).toEqual(['player', `${APP}/embed/${open!.id}`, '600', '180']);
  expect(player(product!.text)).toEqual(['player', `${APP}/embed/p/${show.id}`, '600', '450']);
  expect(player(paidEpisode!.text)).toEqual(['summary_large_image', undefined, undefined, undefined]);
  for (const { text } of [episode!, product!, paidEpisode!]) {
    const found = linksOf(text, 'alternate').filter(({ type }) => type?.endsWith('+oembed'));
    expect(found.map(({ type }) => type)).toEqual(['application/json+oembed', 'text/xml+oembed']);
    for (const { href } of found)
      expect((await read(href!.replaceAll('&amp;', '&').slice(APP.length))).status).toBe(200);
  }
});

test('an answer describes the player, whatever its title contains', async () => {
  const { status, headers, text } = await ask(`${APP}/en/@lucia/p/ruido/parte-1?utm_source=x#listen`);
  const answer = JSON.parse(text);

  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect([headers.get('access-control-allow-origin'), headers.get('set-cookie')]).toEqual(['*', null]);
  expect(answer).toMatchObject({ type: 'rich', version: '1.0', title: TITLE, width: 600, height: 180 });
  expect(answer).toMatchObject({ author_name: 'Ruido & <nueces>', author_url: `${APP}/@lucia/p/ruido` });
  expect(answer.thumbnail_url).toMatch(/\/640\.webp$/);
  const frame = attributesOf(answer.html);
  expect(answer.html).toMatch(/^<iframe [^<>]*><\/iframe>$/);
  expect(frame).toMatchObject({ src: `${APP}/embed/${open!.id}`, width: '600', height: '180' });
});

test('XML says the same, without what XML forbids', async () => {
  const { headers, text } = await ask(`${APP}/@lucia/p/ruido/parte-1`, '&format=xml');
  const { oembed } = new XMLParser().parse(text, true);

  expect(headers.get('content-type')).toBe('text/xml; charset=utf-8');
  expect(text).not.toContain('<script');
  expect(text).not.toContain('\u0007');
  expect(oembed).toMatchObject({ type: 'rich', title: TITLE.replace('\u0007 ', '').trim(), width: 600, height: 180 });
  expect(oembed.html).toContain(`src="${APP}/embed/${open!.id}"`);
});

const episodeSize = [600, 180];
test.each([
  ['', episodeSize],
  ['&maxwidth=400', [400, 180]],
  ['&maxwidth=4000&maxheight=120', [600, 120]],
  ['&maxwidth=0&maxheight=-5', episodeSize],
  ['&maxwidth=abc&maxheight=1e9', episodeSize],
])('the frame fits into what the site has space for: %s', async (asked, size) => {
  const { width, height, html } = JSON.parse((await ask(`${APP}/embed/${open!.id}`, asked)).text);

  expect([width, height]).toEqual(size);
  expect(attributesOf(html)).toMatchObject({ width: String(size[0]), height: String(size[1]) });
});

test.each([
  ["a creator's host", `${HOST}/en/p/ruido`, show.id],
  ['the path form', `${APP}/@lucia/p/ruido/`, show.id],
  ['another letter case', `${APP.toUpperCase()}/ES/@LUCIA/p/ruido`, show.id],
  ['the player', `${APP}/es/embed/p/${show.id}?theme=dark`, show.id],
  ['a locked episode', `${APP}/@lucia/p/club/socios`, locked!.id],
])('%s has an answer', async (_, url, id) => {
  const { status, text } = await ask(url);

  expect(status).toBe(200);
  expect(attributesOf(JSON.parse(text).html).src).toMatch(new RegExp(`/embed/(p/)?${id}$`));
});

test.each([
  ['a draft', `${APP}/@lucia/p/ruido/parte-2`, 404],
  ["a draft's player", `${APP}/embed/${draft!.id}`, 404],
  ['a private episode of a free show', `${APP}/embed/${hidden!.id}`, 404],
  ['an archived show', `${APP}/@lucia/p/viejo`, 404],
  ['an episode of an archived show', `${APP}/embed/${ofArchived!.id}`, 404],
  ['a retired show', `${APP}/embed/p/${retired.id}`, 404],
  ['an unknown episode', `${APP}/@lucia/p/ruido/nada`, 404],
  ['an unknown creator', `${APP}/@nadie/p/ruido`, 404],
  ['a creator', `${APP}/@lucia`, 404],
  ['another page', `${APP}/discover`, 404],
  ['another site', `https://example.com/embed/${second!.id}`, 404],
  ['an id that no number holds', `${APP}/embed/99999999999999999999`, 404],
  ['an id above those of the database', `${APP}/embed/999999999999999`, 404],
  ['a broken escape', `${APP}/@lucia/p/%E0%A4%A`, 404],
  ['a NUL', `${APP}/@lucia/p/ruido%00`, 404],
  ['no address', '', 400],
  ['no web address', 'javascript:alert(1)', 400],
  ['half an address', '/@lucia/p/ruido', 400],
  ['a very long address', `${APP}/${'a'.repeat(2000)}`, 400],
])('%s has none', async (_, url, status) => {
  const found = await ask(url);

  expect([found.status, found.headers.get('cache-control')]).toEqual([status, 'no-store']);
});

test('other formats are refused', async () => {
  for (const format of ['html', 'JSON', '__proto__', ''])
    expect((await ask(`${APP}/@lucia/p/ruido`, `&format=${format}`)).status).toBe(501);
});

test.each([
  ['/@lucia/p/ruido', `/embed/p/${show.id}`],
  ['/@lucia/p/ruido/parte-1', `/embed/${open!.id}`],
  ['/@lucia/p/club', null],
])('the dialog of %s shares its link, a QR code, and the player if visitors can play it', async (path, embed) => {
  const { text: html } = await read(path);

  const dialog = /<div id="share".*?<svg class="qr".*?<\/svg>/s.exec(html)?.[0] ?? '';
  // the browser opens it, also without a script
  expect(html).toMatch(/<button type="button"[^>]* popovertarget="share"/);
  expect(dialog).toContain(' popover="auto"');
  expect(dialog).toMatch(new RegExp(`<input[^>]* value="[^"]*${path}"`));
  expect(dialog.includes('&lt;iframe src=')).toBe(embed !== null);
  if (embed) expect(dialog).toContain(`&lt;iframe src=&quot;${env.urls.appUrl}${embed}&quot; width=&quot;100%&quot;`);
});
