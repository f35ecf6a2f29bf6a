import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { soundbites } from '~/db/schema/soundbites';
import { SOUNDBITE_LIMITS } from '../../limits/soundbites';
import { whereEpisodeVisible } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { soundbiteNotFound } from './errors';

export type SoundbiteRow = typeof soundbites.$inferSelect;

/** Chosen in the file that the episode has now, in a query with `episodes`. */
export const isOfCurrentFile = (): SQL => eq(soundbites.sourceKey, episodes.audioKey);

/** The soundbites of an episode, in the order of time. */
export async function listSoundbiteRows({ db }: Pick<Ctx, 'db'>, episodeId: number): Promise<SoundbiteRow[]> {
  return db
    .select()
    .from(soundbites)
    .where(eq(soundbites.episodeId, episodeId))
    .orderBy(asc(soundbites.startMs), asc(soundbites.id))
    .limit(SOUNDBITE_LIMITS.perEpisode);
}

/** A soundbite with its episode, which is not deleted. @throws soundbite.not_found */
export async function findSoundbiteRecord({ db }: Pick<Ctx, 'db'>, id: number) {
  const [found] = await db
    .select({ soundbite: soundbites, productId: episodes.productId, name: episodes.name })
    .from(soundbites)
    .innerJoin(episodes, eq(episodes.id, soundbites.episodeId))
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(and(eq(soundbites.id, id), whereEpisodeVisible()));
  if (!found) throw soundbiteNotFound();
  return found;
}

/** A soundbite in a feed. Times in milliseconds. */
export type ListedSoundbite = { startMs: number; endMs: number; title: string };

/** The soundbites of an episode's file in the order of time, as a column of a query from `episodes`; null without any. */
export const listedSoundbites = sql<ListedSoundbite[] | null>`(
  select jsonb_agg(jsonb_build_object(
    'startMs', ${soundbites.startMs}, 'endMs', ${soundbites.endMs}, 'title', ${soundbites.title}
  ) order by ${soundbites.startMs}, ${soundbites.id})
  from ${soundbites} where ${soundbites.episodeId} = ${episodes.id} and ${isOfCurrentFile()})`;

/** The stored files of an episode's soundbites, as a column of a query from `episodes`; null without any. */
export const soundbiteFiles = sql<{ key: string; bytes: number }[] | null>`(
  select jsonb_agg(jsonb_build_object('key', ${soundbites.audioKey}, 'bytes', ${soundbites.audioBytes}))
  from ${soundbites} where ${soundbites.episodeId} = ${episodes.id})`;
