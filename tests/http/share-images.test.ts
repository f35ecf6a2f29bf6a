import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import { shareImagesDoor } from '~/server/doors/files/share-images';
import { cast } from '../support/cast';

const { runtime, lucia, make, visitor } = await cast();
const door = shareImagesDoor(runtime);
const server = http.createServer(async (req, res) => {
  if (!(await door(req, res))) res.writeHead(418).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const load = (path: string, method = 'GET') => fetch(`${origin}${path}`, { method, redirect: 'manual' });
const pathOf = (url: string) => new URL(url).pathname;
const pageOf = async (slug: string) => {
  const page = await visitor.pages.product({ domain: lucia.domain, slug, page: 1 });
  if (page.moved) throw new Error('moved');
  return page;
};
/** The average colour of a part, as #rrggbb. */
async function colorAt(bytes: Buffer, left: number, top: number): Promise<string> {
  const { dominant } = await sharp(bytes).extract({ left, top, width: 20, height: 20 }).stats();
  return `#${[dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

test('a show’s picture has the size of link previews and the creator’s colour, and is kept for ever', async () => {
  await runtime.db.update(creators).set({ buttonColor: '#080808' }).where(eq(creators.id, lucia.creatorId));
  const show = await make.product(lucia, { name: 'Ruido <b>& "más"</b> 🌊 حكايات البحر' });
  const { shareImage } = await pageOf(show.slug);

  const answer = await load(pathOf(shareImage));
  const bytes = Buffer.from(await answer.arrayBuffer());

  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toContain('immutable');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
  expect(await colorAt(bytes, 5, 5)).toBe('#080808');
  expect((await load(pathOf(shareImage), 'HEAD')).headers.get('content-length')).toBe(String(bytes.length));
});

test.each([
  ['a very long one', 'Palabra '.repeat(30)],
  ['one word without spaces', 'ñ'.repeat(200)],
  ['markup', '<span foreground="red">&#0;</span>'.repeat(4)],
  ['a script without a font', '日本語の番組'],
  ['control characters', 'a\u0007b\u202Ec'],
])('any name can be drawn: %s', async (_, name) => {
  const show = await make.product(lucia, { name });
  const { shareImage } = await pageOf(show.slug);

  expect((await load(pathOf(shareImage))).status).toBe(200);
});

test('an episode has a picture of its own; a former address leads to the present picture', async () => {
  const show = await make.product(lucia);
  const [episode] = await make.episodes(show, 1, () => ({ type: 'public' }));
  const page = await visitor.pages.episode({ domain: lucia.domain, slug: show.slug, episodeSlug: episode!.slug });
  if (page.moved) throw new Error('moved');
  expect((await load(pathOf(page.shareImage))).status).toBe(200);

  const { shareImage: before } = await pageOf(show.slug);
  await runtime.db.update(products).set({ name: 'Otro nombre' }).where(eq(products.id, show.id));
  const { shareImage: now } = await pageOf(show.slug);
  const answer = await load(pathOf(before));

  expect(now).not.toBe(before);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, now]);
});

test('a page that visitors cannot see has no picture, and only pictures are served', async () => {
  const show = await make.product(lucia);
  const { shareImage } = await pageOf(show.slug);
  await runtime.db.update(products).set({ archivedAt: runtime.now() }).where(eq(products.id, show.id));

  expect((await load(pathOf(shareImage))).status).toBe(404);
  expect((await load('/share/show/999999999/0123456789abcdef.jpg')).status).toBe(404);
  expect((await load(pathOf(shareImage), 'POST')).status).toBe(405);
  expect((await load('/share/show/1/short.jpg')).status).toBe(418);
});
