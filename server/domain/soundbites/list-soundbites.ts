import { soundbitePath } from '../../base/public-paths';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findEpisodeRecord } from '../episodes/queries';
import { lookupRow } from '../episodes/transcripts';
import { listSoundbiteRows, type SoundbiteRow } from './queries';
import { type Caption, shortCaptionsIn } from './rules';
import type { ListSoundbites } from './schema';

/** A soundbite on its creator's screens. `isCurrent`: the episode still has the file in which it was chosen. */
export type SoundbiteView = Pick<SoundbiteRow, 'id' | 'title' | 'startMs' | 'endMs'> & {
  isCurrent: boolean;
  /** Path of its file. */
  audio: string;
};

/** With what is said in it, in parts that fit in a picture. */
export type CaptionedSoundbite = SoundbiteView & { captions: Caption[] };

/** The soundbites of an episode, in the order of time. @throws episode.not_found, also for other users */
export async function listSoundbites(ctx: Ctx, { episodeId }: ListSoundbites): Promise<CaptionedSoundbite[]> {
  const { episode } = await findEpisodeRecord(ctx, episodeId);
  const { audioKey } = authorize(ctx, 'episode.read', episode);
  const rows = await listSoundbiteRows(ctx, episodeId);
  const transcript = rows.length > 0 ? await lookupRow(ctx, episodeId) : null;
  return rows.map((row) => ({
    ...toSoundbiteView(row, audioKey),
    captions: shortCaptionsIn(transcript?.cues ?? [], row),
  }));
}

export function toSoundbiteView(row: SoundbiteRow, episodeKey: string | null): SoundbiteView {
  const { id, title, startMs, endMs, episodeId, audioKey, sourceKey } = row;
  return { id, title, startMs, endMs, isCurrent: sourceKey === episodeKey, audio: soundbitePath(episodeId, audioKey) };
}
