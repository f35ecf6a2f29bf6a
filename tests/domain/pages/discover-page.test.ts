import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { listeningDays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { DAYS, earlier, HOURS, utcDay } from '~/server/base/time';
import { learnWords } from '~/server/domain/products/correct-words';
import { refreshPopularity } from '~/server/domain/products/discover-products';
import { cast } from '../../support/cast';

const { runtime, make, visitor } = await cast({ empty: true });
const { db } = runtime;
type Input = Parameters<typeof visitor.pages.discover>[0];

const ada = await make.creator({ name: 'Ada Lovelace', domain: 'ada' });
const lucia = await make.creator({ name: 'Lucía Ruiz', domain: 'lucia' });
let age = 0;
async function show(slug: string, over: Partial<typeof products.$inferInsert> = {}, owner = lucia) {
  age += 1;
  return make.product(owner, { slug, name: slug, createdAt: earlier(runtime.now(), HOURS(age)), ...over });
}
const songs = await show('songs', {
  name: 'Canciones del mar',
  description: 'Marineros, puertos y olas.',
  category: 1101,
});
await make.episodes(songs, 5, (i) => ({
  name: i === 0 ? 'El pingüino viajero' : `Capítulo ${i}`,
  description: '<p>Sobre <b>faros</b> &amp; barcos</p>',
}));
const hums = await show(
  'hums',
  { name: 'Field guide to hums', description: 'Singing birds of Cádiz', language: 'en', category: 700 },
  ada,
);
await make.episodes(hums, 2, (i) => ({ name: i ? 'Walking home' : 'Olas', description: '<p>Words.</p>' }));
const course = await show('course', {
  kind: 'audio_series',
  name: 'Curso de vela',
  description: 'Paso a paso.',
  priceMinor: 900,
});
await make.episodes(course, 3, (i) => ({
  type: i === 0 ? 'private' : 'public',
  name: `Parte ${['primera', 'segunda', 'tercera'][i]}`,
}));
await learnWords(runtime);

const found = async (input: Input) => (await visitor.pages.discover(input)).items.map(({ slug }) => slug);

test.each<[string, Input, string[]]>([
  ['the name', { search: 'canciones' }, ['songs']],
  ['the name, in another form', { search: 'canción' }, ['songs']],
  ['capitals and without accents', { search: 'CANCION' }, ['songs']],
  ['punctuation', { search: '¿Canciones?, ¡del mar! «…»' }, ['songs']],
  ['the creator', { search: 'lovelace' }, ['hums']],
  ['creator and show', { search: 'lucia curso' }, ['course']],
  ['the description, in its language', { search: 'bird' }, ['hums']],
  ["an episode's name", { search: 'pinguino' }, ['songs']],
  ["an episode's description", { search: 'faro' }, ['songs']],
  ['the tags of HTML, which are no words', { search: 'amp' }, []],
  ['all words, not one of them', { search: 'canciones faro' }, []],
  ['a private episode that is listed with a lock', { search: 'primera' }, ['course']],
  ['nothing that could be parsed', { search: "'&|!():*<->" }, []],
])('a search finds %s', async (_, input, slugs) => {
  expect(await found(input)).toEqual(slugs);
});

test('better matches come first: names, descriptions, then episodes', async () => {
  const waves = await show('waves', { name: 'Olas' });
  await make.episodes(waves, 1);

  expect(await found({ search: 'olas' })).toEqual(['waves', 'songs', 'hums']);
  expect(await found({ search: 'olas', ordering: 'name' })).toEqual(['songs', 'hums', 'waves']);
  await db.delete(episodes).where(eq(episodes.productId, waves.id));
  expect(await found({ search: 'olas' })).toEqual(['songs', 'hums']);
});

test.each<[Input, string[]]>([
  [{}, ['songs', 'hums', 'course'].reverse()],
  [{ ordering: '-created_at' }, ['songs', 'hums', 'course']],
  [{ ordering: 'name' }, ['songs', 'course', 'hums']],
  [{ kind: 'audio_series' }, ['course']],
  [{ price: 'free', ordering: 'name' }, ['songs', 'hums']],
  [{ price: 'paid' }, ['course']],
  [{ language: 'en' }, ['hums']],
  [{ category: '1101' }, ['songs']],
  [{ category: 'music' }, ['songs']],
  [{ category: 'history', language: 'es' }, []],
  [{ search: 'olas', language: 'en' }, ['hums']],
  [
    { kind: '', category: '', language: '', price: '', search: '', ordering: '', page: '' } as never,
    ['course', 'hums', 'songs'],
  ],
])('%o selects %j', async (input, slugs) => {
  expect(await found(input)).toEqual(slugs);
});

test.each([{ category: 'nothing' }, { language: 'zz' }, { price: '5' }, { ordering: 'price' }, { kind: 'book' }])(
  '%o is refused',
  async (input) => {
    await expect(visitor.pages.discover(input as never)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  },
);

test('shows that people listen to come first, counted over a month', async () => {
  const day = (days: number) => utcDay(earlier(runtime.now(), DAYS(days)));
  const play = (product: typeof songs, over: object) => ({
    productId: product.id,
    creatorId: product.creatorId,
    ...over,
  });
  await db
    .insert(listeningDays)
    .values([
      play(hums, { day: day(3), listens: 2, downloads: 1 }),
      play(songs, { day: day(1), downloads: 2 }),
      play(course, { day: day(40), listens: 99 }),
    ] as (typeof listeningDays.$inferInsert)[]);

  await refreshPopularity(runtime);

  expect(await found({})).toEqual(['hums', 'songs', 'course']);
  expect(await found({ ordering: '-popularity' })).toEqual(['hums', 'songs', 'course']);
});

test('each show has an episode to play and the episodes that match', async () => {
  const all = await visitor.pages.discover({ search: 'parte' });
  const [series] = all.items;
  const [podcast] = (await visitor.pages.discover({ search: 'barcos' })).items;

  expect(series!.toPlay).toMatchObject({ name: 'Parte segunda', hasAccess: true });
  expect(series!.matching.map(({ name, url }) => [name, url !== null])).toEqual([
    ['Parte tercera', true],
    ['Parte segunda', true],
    ['Parte primera', false],
  ]);
  expect(podcast!.toPlay).toMatchObject({ name: 'Capítulo 4' });
  expect(podcast!.matching.map(({ name }) => name)).toEqual(['Capítulo 4', 'Capítulo 3', 'Capítulo 2']);
});

test.each([
  ['pinguno', 'pinguino', ['songs']],
  ['Canciones del mra viajreo', null, []],
  ['curso de vlea', null, []],
  ['curos', 'curso', ['course']],
  ['lovelcae', 'lovelace', ['hums']],
  ['zzzzzz', null, []],
])('a mistyped search for %s finds %s', async (search, corrected, slugs) => {
  const page = await visitor.pages.discover({ search });

  expect([page.corrected, page.items.map(({ slug }) => slug)]).toEqual([corrected, slugs]);
});

test('no visitor finds hidden shows and episodes, and changes are found at once', async () => {
  const search = async () => [
    (await found({ search: 'secreto' })).length,
    (await found({ search: 'nocturno' })).length,
  ];
  const changing = await show('changing', { name: 'Secreto' });
  const [episode] = await make.episodes(changing, 1, () => ({ name: 'Nocturno', status: 'scheduled' }));
  const set = (values: Partial<typeof products.$inferInsert>) =>
    db.update(products).set(values).where(eq(products.id, changing.id));
  const setEpisode = (values: Partial<typeof episodes.$inferInsert>) =>
    db.update(episodes).set(values).where(eq(episodes.id, episode!.id));
  const seen: number[][] = [await search()];
  const steps = [
    () => setEpisode({ status: 'published' }),
    () => setEpisode({ deletedAt: runtime.now() }),
    () => setEpisode({ deletedAt: null }),
    () => setEpisode({ type: 'private' }),
    () => set({ priceMinor: 500 }),
    () => set({ priceMinor: null }),
    () => setEpisode({ type: 'public' }),
    () => set({ archivedAt: runtime.now() }),
    () => set({ archivedAt: null }),
    () => set({ isListed: false }),
    () => set({ isListed: true }),
    () => setEpisode({ name: 'Diurno' }),
    () => set({ name: 'Abierto' }),
    () => db.update(creators).set({ name: 'Secreto' }).where(eq(creators.id, lucia.creatorId)),
    () => db.update(creators).set({ name: 'Lucía Ruiz' }).where(eq(creators.id, lucia.creatorId)),
    () => set({ name: 'Secreto', retiredAt: runtime.now() }),
  ];

  for (const step of steps) {
    await step();
    seen.push(await search());
  }

  const [HIDDEN, SHOWN] = [
    [0, 0],
    [1, 1],
  ];
  // while the only episode of a free show is private, neither it nor the show is listed
  expect(seen).toEqual([
    ...[HIDDEN, SHOWN, HIDDEN, SHOWN, HIDDEN, SHOWN, HIDDEN, SHOWN, HIDDEN, SHOWN, HIDDEN, SHOWN],
    ...[[1, 0], HIDDEN, [3, 0], HIDDEN, HIDDEN],
  ]);
});

test('texts in any script and of any length are found, and hostile ones are only text', async () => {
  const hostile = `</script><script>alert(1)</script> ${'palabra '.repeat(400)}`;
  const texts = { arabic: 'حكايات البحر', emoji: '🎙️ Radio 🌊', japanese: '日本語の番組', hostile: '"><img src=x>' };
  for (const [slug, name] of Object.entries(texts)) {
    const product = await show(slug, {
      name,
      description: hostile.slice(0, 4000),
      language: slug === 'arabic' ? 'ar' : 'es',
    });
    await make.episodes(product, 1, () => ({ name: 'x'.repeat(500) }));
  }

  expect(await found({ search: 'البحر' })).toEqual(['arabic']);
  expect(await found({ search: '🎙 radio' })).toEqual(['emoji']);
  expect(await found({ search: '番組' })).toEqual(['japanese']);
  expect(await found({ search: 'img' })).toEqual(['hostile']);
  expect((await found({ search: 'palabra', pageSize: 100 })).sort()).toEqual(Object.keys(texts).sort());
  await db
    .update(products)
    .set({ isListed: false })
    .where(eq(products.description, hostile.slice(0, 4000)));
});

test('pages follow each other without gaps, up to the limit', async () => {
  const many = await Promise.all(
    Array.from({ length: 24 }, (_, i) => show(`m${i}`, { category: 600, name: `Número ${i}` })),
  );
  for (const product of many) await make.episodes(product, 1, () => ({ name: 'Repetido' }));

  const pages = await Promise.all(
    [1, 2, 3].map((page) => visitor.pages.discover({ category: 'government', page, pageSize: 10 })),
  );
  const searched = await visitor.pages.discover({ search: 'repetido', page: 3, pageSize: 10 });

  expect(pages.map(({ items, total, isCapped }) => [items.length, total, isCapped])).toEqual([
    [10, 24, false],
    [10, 24, false],
    [4, 24, false],
  ]);
  expect(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(24);
  expect([searched.items.length, searched.total]).toEqual([4, 24]);
});
