import { eq, type SQL, sql } from 'drizzle-orm';
import { episodeTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import type { TxCtx } from '../../runtime/ctx';
import type { Cue, TranscriptSource } from '../../transcript/model';
import { markProductChanged } from '../products/mark-product-changed';
import { recordAbout } from '../team/activity';
import { alreadyChanged } from './errors';
import { type EpisodeRow, lockEpisodeRow } from './queries';

export type NewTranscript = {
  source: TranscriptSource;
  cues: Cue[];
  language: string;
  fileName: string;
  /** The passages before they were edited, which the editor compares with. */
  original?: Cue[] | null;
};
type Stored = Pick<EpisodeRow, 'id' | 'creatorId' | 'productId' | 'name'>;

/**
 * Adds or replaces the transcript of an episode that the caller may manage. With `former`, only if that is still the
 * stored one; null: only if there is none. @throws episode.already_changed if another one has been stored since
 */
export async function storeTranscript(
  tx: TxCtx,
  episode: Stored,
  { former, ...transcript }: NewTranscript & { former?: Date | null },
): Promise<void> {
  // before the transcript, so that two changes never wait for each other (0177)
  await lockEpisodeRow(tx, episode.id);
  const values = { original: null, ...transcript, updatedAt: tx.now() };
  const stored = await tx.db
    .insert(episodeTranscripts)
    .values({ episodeId: episode.id, ...values })
    .onConflictDoUpdate({
      target: episodeTranscripts.episodeId,
      set: values,
      setWhere: isReplaceable(former),
    })
    .returning({ id: episodeTranscripts.episodeId });
  if (stored.length === 0) throw alreadyChanged();
  await recordAbout(tx, 'episode.transcript_changed', episode);
  await markTranscriptChanged(tx, episode);
}

function isReplaceable(former: Date | null | undefined): SQL | undefined {
  if (former === undefined) return undefined;
  return former === null ? sql`false` : eq(episodeTranscripts.updatedAt, former);
}

/** The page, the feed and the transcript's files depend on it. */
export async function markTranscriptChanged(
  tx: TxCtx,
  { id, productId }: Pick<Stored, 'id' | 'productId'>,
): Promise<void> {
  await tx.db.update(episodes).set({ updatedAt: tx.now() }).where(eq(episodes.id, id));
  await markProductChanged(tx, productId);
}
