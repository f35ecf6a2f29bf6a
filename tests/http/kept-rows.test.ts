import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { createShowLanguages } from '~/server/http/caches/show-language';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast({ empty: true, settings: { CREATOR_URLS: 'path' } });
const app = pagesApp(runtime, env.urls);
const lucia = await make.creator({ domain: 'lucia' });
const show = await make.product(lucia, { slug: 'ruido', language: 'es' });
const [first] = await make.episodes(show, 3, (i) => (i ? { type: 'private' } : { name: 'Uno & <dos>' }));

/** A page without the parts that differ in each response. */
async function read(path: string): Promise<string> {
  const html = await (await app.request(`${env.urls.appUrl}${path}`)).text();
  return html.replace(/nonce="[^"]*"/g, 'nonce').replace(/"nonce":"[^"]*"/g, 'nonce');
}

const rowsOf = (html: string) => /<ol class="episodes">(.*?)<\/ol>/.exec(html)?.[1];

test.each(['/@lucia/p/ruido', '/es/@lucia/p/ruido', '/@lucia'])(
  '%s is the same page when its rows are copied',
  async (path) => {
    const [rendered, copied] = [await read(path), await read(path)];

    expect(rowsOf(rendered)).toContain('Uno &amp; &lt;dos&gt;');
    expect(copied).toBe(rendered);
  },
);

test('rows link to pages in the language of their own page', async () => {
  const [en, es] = [await read('/en/@lucia/p/ruido'), await read('/es/@lucia/p/ruido')];

  expect(rowsOf(en)).toContain(`href="/en/@lucia/p/ruido/${first!.slug}"`);
  expect(rowsOf(es)).toContain(`href="/es/@lucia/p/ruido/${first!.slug}"`);
});

test('a changed episode is rendered again', async () => {
  await read('/es/@lucia/p/ruido');

  await runtime.db.update(episodes).set({ name: 'Tres' }).where(eq(episodes.id, first!.id));

  expect(rowsOf(await read('/es/@lucia/p/ruido'))).toContain('Tres');
});

test('the language of a show is kept for a moment, until something changes', async () => {
  const languages = createShowLanguages(runtime.db);
  const read = () => languages.find('lucia/ruido');
  const before = await read();

  await runtime.db.update(products).set({ language: 'en' }).where(eq(products.id, show.id));
  const kept = await read();
  languages.clear();

  expect([before, kept, await read()]).toEqual(['es', 'es', 'en']);
  expect(await languages.find('nobody/ruido')).toBeNull();
});
