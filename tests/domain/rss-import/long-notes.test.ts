import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readSample, sampleFiles } from '~/benchmarks/sample-feeds';
import { episodes } from '~/db/schema/episodes';
import { descriptionHtml, descriptionText } from '~/server/domain/episodes/description-html';
import { cleanNotes } from '~/server/domain/rss-import/clean-notes';
import { toFeedItem } from '~/server/domain/rss-import/rules';
import type { ImportedFeed } from '~/server/feed/reader/model';
import { parseFeed } from '~/server/feed/reader/parse';
import { cast } from '../../support/cast';
import { feedOrigin, importTokenFor, settleImport } from '../../support/feed-origin';

const { runtime, make, visitor } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const origin = await feedOrigin();
afterAll(() => origin.close());
let julia: Awaited<ReturnType<typeof make.creator>>;
beforeEach(async () => {
  julia = await make.creator({ name: 'Julia' });
});

const notes = (html: string) =>
  `<content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/"><![CDATA[${html}]]></content:encoded>`;
const words = (count: number) => Array.from({ length: count }, (_, i) => `palabra${i}`);

async function imported() {
  origin.owner = `o${Math.random()}@origin.example`;
  const { id } = await julia.api.imports.request({ url: origin.feedUrl() });
  await visitor.imports.answer({ token: await importTokenFor(runtime, origin.owner), action: 'confirm' });
  await settleImport(runtime, id);
  return julia.api.imports.get({ id });
}

test('notes that are mostly markup keep every word', async () => {
  const wrapped = words(2000).map(
    (word) => `<div class="${'x'.repeat(60)}"><span style="color:#333">${word}</span></div>`,
  );
  origin.items = [{ extra: notes(`<p>${wrapped.join(' ')}</p>`) }];
  const { preview, productId } = await imported();
  const [episode] = await runtime.db.select().from(episodes).where(eq(episodes.productId, productId!));

  expect(preview.losses.map(({ kind }) => kind)).not.toContain('description_cut');
  expect((await descriptionText(episode!.description)).match(/palabra\d+/g)).toEqual(words(2000));
});

test('longer notes are cut to the bytes of our feed, and the preview says how much of their text is lost', async () => {
  origin.items = [{}, { extra: notes(`<p>${words(20_000).join(' ñ</p><p>')}</p>`) }];
  const { losses } = await julia.api.imports.preview({ url: origin.feedUrl() });
  const { productId } = await imported();
  const found = await runtime.db
    .select()
    .from(episodes)
    .where(eq(episodes.productId, productId!))
    .orderBy(episodes.guid);
  const bytes = Buffer.byteLength(found[1]!.description);
  const kept = (await descriptionText(found[1]!.description)).match(/palabra\d+/g)!;

  expect(bytes).toBeGreaterThan(99_000);
  expect(bytes).toBeLessThanOrEqual(100_000);
  expect(kept).toEqual(words(kept.length));
  const percent = Math.round(100 - (100 * kept.length) / 20_000);
  const cut = losses.find(({ kind }) => kind === 'description_cut')!;
  expect(cut).toMatchObject({ count: 1, first: 2 });
  expect(Math.abs(cut.percent! - percent)).toBeLessThanOrEqual(2);
});

test('of notes with megabytes, the first ones are cleaned, and notes without words are no loss of a number', async () => {
  const feed = (description: string) => ({ episodes: [{ description }] }) as unknown as ImportedFeed;

  const [hidden, empty] = await Promise.all([
    cleanNotes(feed(`${'<i class="x"></i>'.repeat(50_000)}<p>${'word '.repeat(100_000)}</p>`)),
    cleanNotes(feed('<b>'.repeat(100_000))),
  ]);

  expect(hidden.losses).toEqual([{ kind: 'description_cut', count: 1, first: 1, percent: 100 }]);
  expect(empty.losses[0]?.percent ?? 1).toBeGreaterThan(0);
});

test('a creator can save an imported episode with long notes', async () => {
  origin.items = [{ extra: notes(`<p>${words(5000).join(' ')}</p>`) }];
  const { productId } = await imported();
  const [{ id, description }] = (await runtime.db
    .select()
    .from(episodes)
    .where(eq(episodes.productId, productId!))) as [typeof episodes.$inferSelect];

  expect(description.length).toBeGreaterThan(40_000);
  await expect(julia.api.episodes.update({ id, kind: 'podcast', name: 'Otro', description })).resolves.toMatchObject({
    name: 'Otro',
  });
});

const PODLOVE = 'feedjira-CRE-podlove.xml';

test.skipIf(!sampleFiles().includes(PODLOVE))('a feed of Podlove keeps the words of its notes', async () => {
  const { feed } = parseFeed({ bytes: readSample(PODLOVE), url: origin.url });
  const read = (await cleanNotes(feed!)).feed.episodes.map(toFeedItem);
  const textOf = async (html: string) => descriptionText(await descriptionHtml(html));
  const long = feed!.episodes.filter(({ description }) => description.length > 10_000);

  expect(long).toHaveLength(22);
  for (const { guid, description } of long)
    expect(await textOf(read.find((item) => item.guid === guid)!.description)).toBe(await textOf(description));
});
