import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { indexTranscripts } from '~/server/domain/episodes/index-transcripts';
import { TRANSCRIPT_SEARCH_LIMITS } from '~/server/limits/transcripts';
import { cast } from '../../support/cast';

const { runtime, make, visitor, tom } = await cast();
const { db } = runtime;
const owner = await make.creator({ name: 'Lucía' });
const travel = await make.product(owner, { language: 'es' });
const cooking = await make.product(owner, { priceMinor: 500, language: 'en' });
const [canals, trams] = await make.episodes(travel, 2);
const [free, locked] = await make.episodes(cooking, 2, (i) => ({ type: i === 0 ? 'public' : 'private' }));
const FILLER = 'Palabras que no dicen nada y que llenan un pasaje entero hasta que tiene bastantes letras. '.repeat(3);
const vtt = (texts: string[]) =>
  `WEBVTT\n\n${texts.map((text, i) => `00:00:${i}0.000 --> 00:00:${i}9.000\n${text}\n`).join('\n')}`;
const upload = async (id: number, texts: string[]) => {
  const content = Buffer.from(vtt(texts)).toString('base64');
  await owner.api.episodes.uploadTranscript({ id, fileName: 'a.vtt', content });
  await indexTranscripts(runtime);
};
await upload(canals!.id, ['El faro de Génova', FILLER, 'Otro faro']);
await upload(trams!.id, ['Un tranvía hasta el faro']);
await upload(free!.id, ['Soup at the faro']);
await upload(locked!.id, ['The secret of the faro']);

const onPage = async (search?: string, { by = visitor, part }: { by?: typeof visitor; part?: number } = {}) => {
  const page = await by.pages.creator({ domain: owner.domain, search, part });
  if (page.moved !== null) throw new Error('moved');
  return page;
};
const saidOnPage = async (search: string, by?: typeof visitor) =>
  (await onPage(search, { by })).found!.passages.items.map(({ episode }) => episode.id).sort();
type Filters = { kind?: string; category?: string; language?: string; price?: string; part?: number };
const onDiscover = (search: string, filters: Filters = {}, by = visitor) =>
  by.pages.discoverPassages({ search, ...filters } as never);
const discovered = async (search: string, filters?: Filters, by?: typeof visitor) =>
  (await onDiscover(search, filters, by)).items.map(({ episode }) => episode.id).sort();

test("a creator's page finds words in the transcripts of all their shows, and says which show it is", async () => {
  expect(await saidOnPage('FAROS')).toEqual([canals!.id, canals!.id, trams!.id, free!.id].sort());
  const { found } = await onPage('tranvías');
  expect(found!.passages).toEqual({
    items: [
      {
        episode: { id: trams!.id, name: trams!.name, slug: trams!.slug },
        product: { name: travel.name, slug: travel.slug, language: 'es' },
        creator: { domain: owner.domain },
        startMs: 0,
        text: 'Un tranvía hasta el faro',
      },
    ],
    next: null,
  });
});

test("a creator's page finds episodes by their names, and nothing of other creators", async () => {
  const other = await make.creator({});
  const show = await make.product(other, { language: 'es' });
  await make.episodes(show, 1, () => ({ name: 'Un faro ajeno' }));
  await db.update(episodes).set({ name: 'Faros del norte' }).where(eq(episodes.id, trams!.id));

  expect((await onPage('faro')).found!.episodes.map(({ id }) => id)).toEqual([trams!.id]);
  expect((await onPage()).found).toBeNull();
});

test('transcripts that a visitor may not read are found by their creator only', async () => {
  expect(await saidOnPage('secret')).toEqual([]);
  expect(await saidOnPage('secret', tom.api)).toEqual([]);
  expect(await saidOnPage('secret', owner.api)).toEqual([locked!.id]);
  expect(await discovered('secret')).toEqual([]);
  expect(await discovered('secret', {}, owner.api)).toEqual([]);
});

test('Discover finds one passage of each episode, and only in the shows that its filters select', async () => {
  expect(await discovered('faro')).toEqual([canals!.id, trams!.id, free!.id].sort());
  expect(await discovered('faro', { price: 'paid' })).toEqual([free!.id]);
  expect(await discovered('faro', { language: 'es' })).toEqual([canals!.id, trams!.id].sort());
  expect(await discovered('faro', { kind: 'audio_series' })).toEqual([]);
  expect((await onDiscover('faro', { language: 'es' })).items.map(({ startMs }) => startMs)).toEqual([0, 0]);
});

test.each([
  ['is hidden from Discover', { isListed: false }, [1, 0]],
  ['is archived', { archivedAt: runtime.now() }, [0, 0]],
  ['is taken down', { takenDownAt: runtime.now() }, [0, 0]],
] as const)('a show that %s is found where its page is', async (_, state, counts) => {
  await db.update(products).set(state).where(eq(products.id, travel.id));
  const found = [(await saidOnPage('tranvía')).length, (await discovered('tranvía')).length];
  await db
    .update(products)
    .set({ isListed: true, archivedAt: null, takenDownAt: null })
    .where(eq(products.id, travel.id));

  expect(found).toEqual(counts);
  expect(await discovered('tranvía')).toEqual([trams!.id]);
});

test('passages come in parts', async () => {
  const show = await make.product(owner, { language: 'es' });
  const many = await make.episodes(show, 11);
  for (const { id } of many) await upload(id, ['Un glaciar']);

  const first = await onDiscover('glaciar');
  const second = await onDiscover('glaciar', { part: 2 });
  expect([first.items.length, first.next, second.items.length, second.next]).toEqual([10, 2, 1, null]);
  expect((await onPage('glaciar', { part: 2 })).found!.passages.items).toHaveLength(1);
});

test('private transcripts and other languages take no places on Discover from what visitors may read', async () => {
  const show = await make.product(owner, { priceMinor: 500, language: 'es' });
  const [open, hidden] = await make.episodes(show, 2, (i) => ({ type: i === 0 ? 'public' : 'private' }));
  const [foreign] = await make.episodes(await make.product(owner, { language: 'en' }), 1);
  for (const { id } of [hidden!, foreign!]) await upload(id, ['Un alfajor']);
  // the search finds them first, because their rows come first
  await db.execute(sql`
    insert into transcript_search (episode_id, position, product_id, start_ms, text, words)
    select episode_id, n, product_id, start_ms, text, words from transcript_search
    cross join generate_series(1, ${TRANSCRIPT_SEARCH_LIMITS.matches}::int) n
    where episode_id = ${hidden!.id} or episode_id = ${foreign!.id}`);
  await upload(open!.id, ['Otro alfajor']);

  expect(await discovered('alfajor', { language: 'es' })).toEqual([open!.id]);
});

test('a page has a search only if there is something to search', async () => {
  const silent = await make.creator({});
  const show = await make.product(silent, {});
  await make.episodes(show, 1);
  const page = await visitor.pages.creator({ domain: silent.domain });

  expect([(await onPage()).isSearchable, page.moved === null && page.isSearchable]).toEqual([true, false]);
});
