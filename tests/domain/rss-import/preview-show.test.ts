import sharp from 'sharp';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import { feedPreviews, rssImports } from '~/db/schema/rss-import';
import { later } from '~/server/base/time';
import { sweepShowPreviews } from '~/server/domain/rss-import/sweep-show-previews';
import { SHOW_PREVIEW_LIMITS as LIMITS } from '~/server/limits/rss-import';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { feedOrigin } from '../../support/feed-origin';
import '../../support/matchers';

const { runtime, visitor, clock } = await cast({ empty: true, settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const origin = await feedOrigin();
afterAll(() => origin.close());
const START = new Date('2026-03-02T12:00:00Z');
const { imports } = visitor;
const item = (i: number) => ({
  title: `Día ${i}`,
  date: new Date(Date.UTC(2024, 0, i, 10)).toUTCString(),
  extra: '<itunes:duration>1:01:05</itunes:duration>',
});

beforeEach(async () => {
  clock.now = START;
  await runtime.db.delete(feedPreviews);
  await runtime.db.execute('delete from rate_limits');
  origin.answers.clear();
  origin.files.clear();
  origin.channel = '';
  origin.items = [1, 2, 3].map(item);
});

const see = async (url = origin.feedUrl()) => imports.openShowPreview(await imports.previewShow({ url }));

test('a visitor sees the show, its newest episodes and its cover, and nothing else happens', async () => {
  const create = { width: 900, height: 600, channels: 3 as const, background: '#274F94' };
  origin.files.set('/cover.png', await sharp({ create }).png().toBuffer());
  origin.channel = `<itunes:image href="${origin.url}/cover.png"/>`;
  origin.items = Array.from({ length: 25 }, (_, i) => item(i + 1));

  const { url, expiresAt, preview } = await see();

  expect([url, expiresAt]).toEqual([origin.feedUrl(), later(START, LIMITS.kept)]);
  expect(preview).toMatchObject({ title: 'Olas de fuera', author: 'Julia', description: 'Un programa.', episodes: 25 });
  expect(preview.latest.length).toBe(LIMITS.episodes);
  expect(preview.latest[0]).toEqual({
    title: 'Día 25',
    publishedAt: '2024-01-25T10:00:00.000Z',
    durationMs: 3_665_000,
    notes: 'Notas de Día 25.',
  });
  const { width, height } = await sharp(Buffer.from(preview.picture!.split(',')[1]!, 'base64')).metadata();
  expect([width, height]).toEqual([LIMITS.coverWidth, LIMITS.coverWidth]);
  for (const table of [outbox, rssImports, products]) expect(await runtime.db.$count(table)).toBe(0);
});

test('the address of the owner in the feed is not kept', async () => {
  await see();

  const [row] = await runtime.db.select().from(feedPreviews);
  expect(JSON.stringify(row)).not.toContain('julia@origin.example');
});

test('the page of a preview disappears after a day, and its row soon after', async () => {
  const { token } = await imports.previewShow({ url: origin.feedUrl() });
  clock.now = later(START, LIMITS.kept);
  const second = await imports.previewShow({ url: origin.feedUrl() });

  await expect(imports.openShowPreview({ token })).toFailWith('import.preview_expired');
  await sweepShowPreviews(systemCtx(runtime, 'rss-import.sweep-previews'));

  expect(await runtime.db.$count(feedPreviews)).toBe(1);
  expect((await imports.openShowPreview(second)).preview.title).toBe('Olas de fuera');
});

test('of a feed with many pages, only the first one is read, and the page says so', async () => {
  const page = (i: number) =>
    `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Paged</title>
    <atom:link rel="next" href="${origin.url}/page-${i + 1}"/>
    <item><title>E${i}</title><guid>g${i}</guid><enclosure url="${origin.url}/${i}.mp3" type="audio/mpeg" length="1"/></item></channel></rss>`;
  for (let i = 1; i < 10; i += 1) origin.answers.set(`/page-${i}`, (_, response) => void response.end(page(i)));
  origin.requests.length = 0;

  const { preview } = await see(`${origin.url}/page-1`);

  expect([preview.episodes, preview.isPartial]).toEqual([1, true]);
  expect(origin.requests).toEqual(['/page-1']);
});

test('a cover that cannot be read leaves the rest', async () => {
  origin.channel = `<itunes:image href="${origin.url}/cover.svg"/>`;
  origin.answers.set('/cover.svg', (_, response) => void response.end('<svg xmlns="http://www.w3.org/2000/svg"/>'));

  const { preview } = await see();

  expect([preview.picture, preview.episodes]).toEqual([null, 3]);
});
