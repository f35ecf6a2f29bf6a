import { and, eq } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { soundbites } from '~/db/schema/soundbites';
import { soundbitePath } from '../../base/public-paths';
import { may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { type EpisodeRecord, factsOf } from '../episodes/queries';
import { lookupRow } from '../episodes/transcripts';
import { soundbiteNotFound } from './errors';
import { isOfCurrentFile } from './queries';
import { type Caption, captionsIn } from './rules';

/** A soundbite on its public page. Times in milliseconds of the episode. */
export type PageSoundbite = {
  id: number;
  title: string;
  startMs: number;
  endMs: number;
  /** Path of its file. */
  audio: string;
  captions: Caption[];
};

/**
 * A soundbite of an episode, with what is said in it. Like the audio, it is for those who may hear the episode.
 * @throws soundbite.not_found for all others, and if the episode's file was replaced
 */
export async function pageSoundbite(ctx: Ctx, found: EpisodeRecord, id: number): Promise<PageSoundbite> {
  if (!may(ctx, 'episode.play', factsOf(found))) throw soundbiteNotFound();
  const { id: episodeId } = found.episode;
  const [row] = await ctx.db
    .select({ soundbite: soundbites })
    .from(soundbites)
    .innerJoin(episodes, eq(episodes.id, soundbites.episodeId))
    .where(and(eq(soundbites.id, id), eq(soundbites.episodeId, episodeId), isOfCurrentFile()));
  if (!row) throw soundbiteNotFound();
  const { title, startMs, endMs, audioKey } = row.soundbite;
  // who may hear an episode may read its transcript
  const transcript = await lookupRow(ctx, episodeId);
  const captions = captionsIn(transcript?.cues ?? [], { startMs, endMs });
  return { id, title, startMs, endMs, audio: soundbitePath(episodeId, audioKey), captions };
}
