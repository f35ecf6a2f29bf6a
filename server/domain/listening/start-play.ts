import { chaptersPath, timelinePath, waveformOverviewPath } from '../../base/public-paths';
import type { Ctx } from '../../runtime/ctx';
import { type PageBrand, pageBrandOf } from '../creators/rules';
import { transcriptPathFor } from '../episodes/transcripts';
import { findPlayable, type PlayerEpisode, toPlayerEpisode } from './open-episode';
import { lookupPosition, type Position } from './positions';
import type { StartPlaying } from './schema';
import { lookupSoundFiles } from './sound-files';
import { issueTicket } from './tickets';

/** The web player's data when it starts an episode. Paths are the same on every host; null for missing files. */
export type StartedEpisode = {
  episode: PlayerEpisode;
  /** Lets this session report a listen (tickets.ts). */
  ticket: string;
  /** Whether positions are stored on an account. */
  hasAccount: boolean;
  position: Position | null;
  /** Overview of the waveform. */
  peaks: string | null;
  chapters: string | null;
  /** Where the episode's parts are in what this listener hears; null if nothing is inserted. */
  timeline: string | null;
  /** JSON, or plain text if the transcript has no times. */
  transcript: string | null;
  /** The creator's colours. */
  brand: PageBrand | null;
};

/** @throws episode.not_found, episode.subscription_required */
export async function startPlaying(ctx: Ctx, input: StartPlaying): Promise<StartedEpisode> {
  const found = await findPlayable(ctx, input);
  const { id } = found.episode;
  const [position, sound, transcript] = await Promise.all([
    lookupPosition(ctx, id),
    lookupSoundFiles(ctx, id),
    transcriptPathFor(ctx, found),
  ]);
  return {
    episode: toPlayerEpisode(ctx, found),
    ticket: issueTicket(ctx, { id, session: input.session }),
    hasAccount: ctx.actor.type === 'user',
    position,
    peaks: sound?.peaksKey ? waveformOverviewPath(id) : null,
    chapters: sound?.chapters.length ? chaptersPath(id) : null,
    timeline: sound?.hasInsertions ? timelinePath(id) : null,
    transcript,
    brand: pageBrandOf(found.creator),
  };
}
