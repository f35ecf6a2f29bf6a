import fs from 'node:fs/promises';
import path from 'node:path';
import { eq, inArray } from 'drizzle-orm';
import { inject } from 'vitest';
import type { Database } from '~/db/client';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import type { Runtime } from '~/server/runtime/runtime';
import { acting } from './acting';
import type { CastIndex } from './cast-template';
import { makers, PASSWORD, type StoredCover } from './make';
import { passwordHashOf } from './password-hash';
import { picture } from './pictures';
import { checkNewAudio } from './run-jobs';
import { testRuntime } from './runtime';
import type { CastTemplate } from './templates';

type Settings = Record<string, string>;
type Options = { settings?: Settings; template?: CastTemplate };

/**
 * The calling test file's runtime with the cast (tests/support/cast-template.ts): Lucía, a creator with three shows;
 * Ada, a creator without shows; and Tom, a listener. `make` creates more people and shows. `empty` leaves the cast out,
 * for tests that count rows.
 */
export function cast(options: { empty: true; settings?: Settings }): ReturnType<typeof emptyStage>;
export function cast(options?: Options): ReturnType<typeof fullStage>;
export function cast({ empty = false, settings = {}, template }: Options & { empty?: boolean } = {}) {
  return empty ? emptyStage(settings) : fullStage(settings, template);
}

async function emptyStage(settings: Settings) {
  return withTools(await testRuntime(settings), null);
}

async function fullStage(settings: Settings, { database, directory } = inject('cast')) {
  const index: CastIndex = JSON.parse(await fs.readFile(path.join(directory, 'index.json'), 'utf8'));
  const opened = await testRuntime(settings, { template: database, files: path.join(directory, 'data') });
  const { runtime } = opened;
  const shows = await showsOf(runtime.db, index);
  const cover = { key: shows.podcast.coverKey, bytes: await picture() };
  const staged = await withTools(opened, cover);
  return { ...staged, ...shows, ...(await peopleOf(runtime, index)) };
}

let passwordHash: Promise<string> | undefined;

async function withTools(opened: Awaited<ReturnType<typeof testRuntime>>, cover: StoredCover | null) {
  const { runtime } = opened;
  const tools = acting(runtime);
  passwordHash ??= passwordHashOf(PASSWORD);
  return {
    ...opened,
    ...tools,
    visitor: await tools.as(null),
    make: makers(runtime, { passwordHash: await passwordHash, cover }),
    checkNewAudio: () => checkNewAudio(runtime),
  };
}

/** Opens a session for each person. */
async function peopleOf(runtime: Runtime, { lucia, ada, tom }: CastIndex) {
  const { as } = acting(runtime);
  const opened = async <M extends CastIndex['tom']>(member: M) => {
    const { token } = await runtime.sessions.start(member.id, { channel: 'web', userAgent: '', country: null });
    return { ...member, token, api: await as({ token }) };
  };
  const people = await Promise.all([opened(lucia), opened(ada), opened(tom)]);
  return { lucia: people[0], ada: people[1], tom: people[2] };
}

async function showsOf(db: Database, index: CastIndex) {
  const { lucia, podcast, series, paidPodcast } = index;
  const [productRows, episodeRows] = await Promise.all([
    db
      .select()
      .from(products)
      .where(inArray(products.id, [podcast, series, paidPodcast]))
      .orderBy(products.id),
    db.select().from(episodes).where(eq(episodes.creatorId, lucia.creatorId)).orderBy(episodes.id),
  ]);
  const product = (id: number) => productRows.find((row) => row.id === id)!;
  const rows = <K extends string>(ids: Record<K, number>) =>
    Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [name, episodeRows.find((row) => row.id === id)!]),
    ) as Record<K, (typeof episodeRows)[number]>;
  return {
    podcast: product(podcast),
    series: product(series),
    paidPodcast: product(paidPodcast),
    episodes: {
      podcast: rows(index.episodes.podcast),
      series: rows(index.episodes.series),
      paidPodcast: rows(index.episodes.paidPodcast),
    },
  };
}
