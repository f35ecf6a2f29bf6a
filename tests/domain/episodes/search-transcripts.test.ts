import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { transcriptSearch, unsearchedTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { grantAccess } from '~/server/domain/access/grant-access';
import { indexTranscripts } from '~/server/domain/episodes/index-transcripts';
import { excerptAround } from '~/server/domain/episodes/rules';
import { TRANSCRIPT_SEARCH_LIMITS } from '~/server/limits/transcripts';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, make, visitor, tom } = await cast();
const { db } = runtime;
const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, { priceMinor: 500, language: 'es' });
const [open, locked] = await make.episodes(show, 2, (index) => ({ type: index === 0 ? 'public' : 'private' }));
const at = (second: number) =>
  `00:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000`;
const vtt = (texts: string[]) =>
  `WEBVTT\n\n${texts.map((text, i) => `${at(i * 10)} --> ${at(i * 10 + 9)}\n${text}\n`).join('\n')}`;
const FILLER = 'Palabras que no dicen nada y que llenan un pasaje entero hasta que tiene bastantes letras. '.repeat(3);
const upload = async (id: number, texts: string[]) => {
  const content = Buffer.from(vtt(texts)).toString('base64');
  await owner.api.episodes.uploadTranscript({ id, fileName: 'a.vtt', content });
  await indexTranscripts(runtime);
};
const search = async (words: string, by: typeof visitor = visitor, part?: number) => {
  const page = await by.pages.product({ domain: owner.domain, slug: show.slug, search: words, part });
  return page.moved === null ? page.passages! : { items: [], next: null };
};
const found = async (words: string, by?: typeof visitor) =>
  (await search(words, by)).items.map(({ episode, startMs }) => [episode.id, startMs]);

await upload(open!.id, [FILLER, 'Los canales de Venecia', FILLER, 'Un tranvía amarillo']);
await upload(locked!.id, [FILLER, 'El secreto de los canales']);

test('words are found in every form of their language, at the passage where they are said', async () => {
  expect(await found('canal')).toEqual([[open!.id, 10_000]]);
  expect(await found('TRANVIA amarillos')).toEqual([[open!.id, 30_000]]);
  expect(await found('elefante')).toEqual([]);
  expect((await search('venecia')).items[0]?.text).toContain('Venecia');
});

test('the transcript of a private episode leaves no trace for those who may not read it', async () => {
  expect(await search('secreto')).toEqual({ items: [], next: null });
  expect(await found('secreto', tom.api)).toEqual([]);
  expect(await found('secreto', owner.api)).toEqual([[locked!.id, 10_000]]);
  await transact(systemCtx(runtime, 'test'), (tx) =>
    grantAccess(tx, { userId: tom.id, productId: show.id, source: 'subscription' }),
  );
  expect(await found('secreto', tom.api)).toEqual([[locked!.id, 10_000]]);
});

test('a creator may show it to all, and take it back', async () => {
  const showAll = (transcriptShowAll: boolean) =>
    db.update(episodes).set({ transcriptShowAll }).where(eq(episodes.id, locked!.id));
  await showAll(true);
  expect(await found('secreto')).toEqual([[locked!.id, 10_000]]);
  await showAll(false);
  expect(await found('secreto')).toEqual([]);
});

test.each([
  ['unpublished', { status: 'on_hold' }],
  ['taken down', { takenDownAt: runtime.now() }],
  ['deleted', { deletedAt: runtime.now() }],
] as const)('an episode that is %s is not found', async (_, state) => {
  await db.update(episodes).set(state).where(eq(episodes.id, open!.id));
  const hidden = await found('canal');
  await db
    .update(episodes)
    .set({ status: 'published', takenDownAt: null, deletedAt: null })
    .where(eq(episodes.id, open!.id));

  expect(hidden).toEqual([]);
  expect(await found('canal')).toHaveLength(1);
});

test('words of an edited transcript are found after the next run of the job, and removed ones at once', async () => {
  const { version: editOf, cues } = await owner.api.transcripts.edit({ id: open!.id });
  const changes = [{ at: 1, remove: 1, cues: [{ ...cues[1]!, text: 'Los puentes de Praga' }] }];
  await owner.api.transcripts.save({ id: open!.id, editOf, changes } as never);
  expect(await db.$count(unsearchedTranscripts)).toBe(1);
  expect([await indexTranscripts(runtime), await indexTranscripts(runtime)]).toEqual([1, 0]);

  expect(await found('praga')).toEqual([[open!.id, 10_000]]);
  expect(await found('venecia')).toEqual([]);
  await owner.api.episodes.removeTranscript({ id: open!.id });
  expect(await found('praga')).toEqual([]);
  expect(await db.$count(transcriptSearch, eq(transcriptSearch.episodeId, open!.id))).toBe(0);
});

test('a change that is under way while the job reads is read by its next run', async () => {
  await upload(open!.id, ['Uno']);
  let finish = () => {};
  const isOpen = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const waiting = db.transaction(async (tx) => {
    await tx.execute(
      `update episode_transcripts set cues = '[{"startMs":0,"endMs":1,"text":"Dos"}]' where episode_id = ${open!.id}`,
    );
    await isOpen;
  });
  await indexTranscripts(runtime);
  finish();
  await waiting;

  expect(await indexTranscripts(runtime)).toBe(1);
  expect(await found('dos')).toEqual([[open!.id, 0]]);
});

test('a transcript that cannot be read waits for the next run, and holds up no other one', async () => {
  await upload(open!.id, ['Sevilla']);
  await db.execute(
    `update episode_transcripts set cues = '[{"startMs":0.5,"endMs":1,"text":"Roto"}]' where episode_id = ${open!.id}`,
  );
  await db.update(unsearchedTranscripts).set({ changedAt: new Date(0) });
  await upload(locked!.id, ['El faro de Alejandría']);

  expect(await found('alejandría', owner.api)).toEqual([[locked!.id, 0]]);
  expect(await found('sevilla')).toEqual([[open!.id, 0]]);
  expect(await db.$count(unsearchedTranscripts, eq(unsearchedTranscripts.episodeId, open!.id))).toBe(1);
});

test('more passages than a part has are on the next ones, in the order in which they are said', async () => {
  const count = TRANSCRIPT_SEARCH_LIMITS.perPart + 3;
  await upload(
    open!.id,
    Array.from({ length: count }, () => `${FILLER} Barcelona`),
  );

  const first = await search('barcelona');
  const second = await search('barcelona', visitor, 2);

  expect([first.items.length, first.next, second.items.length, second.next]).toEqual([count - 3, 2, 3, null]);
  const times = [...first.items, ...second.items].map(({ startMs }) => startMs!);
  expect(times).toEqual(Array.from({ length: count }, (_, index) => index * 10_000));
});

test.each(["'", '"', '\\', '%', '& | ! ( ) :*', '<->', "a':*b", 'a\u0000b', '🙂', '\u202e', '{}[]', '--'])(
  'odd characters in a search: %s',
  async (words) => {
    expect(await search(words)).toMatchObject({ items: expect.any(Array) });
  },
);

test('a search of 10 KB is refused, and one without words finds nothing', async () => {
  await expect(search('x'.repeat(10_000))).rejects.toThrow();
  expect(await found('de la')).toEqual([]);
});

test('a show with a transcript for all has a search, and one without has none', async () => {
  const isSearchable = async (slug: string) => {
    const page = await visitor.pages.product({ domain: owner.domain, slug });
    return page.moved === null && page.isSearchable;
  };
  const silent = await make.product(owner, {});
  await make.episodes(silent, 1);
  const secret = await make.product(owner, { priceMinor: 500 });
  const [hidden] = await make.episodes(secret, 1, () => ({ type: 'private' }));
  await upload(hidden!.id, ['Nada']);

  expect([await isSearchable(show.slug), await isSearchable(silent.slug), await isSearchable(secret.slug)]).toEqual([
    ...[true, false, false],
  ]);
});

test('a text without times leads to its episode, also after the show has changed its language', async () => {
  const content = Buffer.from('Palabras sueltas sobre faros').toString('base64');
  await owner.api.episodes.uploadTranscript({ id: open!.id, fileName: 'a.txt', content });
  await indexTranscripts(runtime);
  await db.update(products).set({ language: 'en' }).where(eq(products.id, show.id));

  expect(await found('faro')).toEqual([[open!.id, null]]);
});

test.each([
  ['short', 'canales', 'Los canales', 'Los canales'],
  ['none of the words', 'zzz', `${'abc '.repeat(20)}`, `${'abc '.repeat(5).trim()}…`],
  ['in the middle', 'áncora', `${'abc '.repeat(20)}ancora ${'xyz '.repeat(20)}`, '…c abc ancora xyz xyz…'],
])('the part of a text around the words: %s', (_, words, text, expected) => {
  expect(excerptAround(text, words, 20)).toBe(expected);
});
