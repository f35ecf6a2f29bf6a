import { and, eq, lt } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import type { ErrorParams } from '../../base/errors';
import { isPublished, whereKept } from '../../policy/visibility';
import { checkAudio } from '../../queue/jobs/episodes';
import { announceChange, type TxCtx } from '../../runtime/ctx';
import { consumeUpload, type UsableUpload } from '../media/uploads';
import { markProductChanged } from '../products/mark-product-changed';
import type { AudioAddress } from './audio-fetches';
import { alreadyChanged } from './errors';
import type { EpisodeRow } from './queries';
import { statusAt } from './rules';
import type { UpdateEpisode } from './schema';
import type { ManageableEpisode } from './transitions';

/**
 * A new file for a published episode, which keeps its former audio until the file has passed the check (decision 0161).
 */
export type ReplacementView = { fileName: string; isChecking: boolean };

/** An upload, or the address of a file that will be at an upload's key. */
export type NewAudio = UsableUpload | AudioAddress;

const NOT_CHECKING = { replacementKey: null, replacementAt: null };
export const NO_REPLACEMENT = { ...NOT_CHECKING, replacementName: null };
const NO_FAILURE = { failureReason: null, failureParams: {} };

/** The upload that waits for its check, for a new episode or a replacement; null without one. */
export function uploadToCheck({
  status,
  uploadKey,
  replacementKey,
}: Pick<EpisodeRow, 'status' | 'uploadKey' | 'replacementKey'>): string | null {
  return replacementKey ?? (status === 'in_progress' ? uploadKey : null);
}

/** Whether listeners keep the former audio during the check: only if the episode is published and stays published. */
export function keepsAudio(
  episode: Pick<EpisodeRow, 'status' | 'releaseAt'>,
  { hold, releaseDate }: Pick<UpdateEpisode, 'hold' | 'releaseDate'>,
  now: Date,
): boolean {
  return isPublished(episode) && !hold && statusAt(releaseDate ?? episode.releaseAt ?? now, now) === 'published';
}

/** The owner's view of the new file; null without one, and once the file has become the audio. */
export function toReplacementView({
  replacementKey,
  replacementName,
}: Pick<EpisodeRow, 'replacementKey' | 'replacementName'>): ReplacementView | null {
  return replacementName === null ? null : { fileName: replacementName, isChecking: replacementKey !== null };
}

/**
 * Checks a new file for a published episode. It replaces a file that is still being checked.
 * @param current the locked row
 * @throws episode.already_changed for the second of two files that were sent at once
 */
export async function startReplacement(
  tx: TxCtx,
  current: ManageableEpisode,
  { audio, known }: { audio: NewAudio; known: EpisodeRow },
): Promise<void> {
  const isKnown = current.uploadKey === known.uploadKey && current.replacementKey === known.replacementKey;
  if (!isKnown) throw alreadyChanged();
  if (!('url' in audio)) await consumeUpload(tx, audio);
  await checkReplacement(tx, current, audio);
}

/**
 * @param current the locked row
 * @param audio a file at an upload's key, not used elsewhere
 */
export async function checkReplacement(
  tx: TxCtx,
  current: ManageableEpisode,
  audio: Pick<UsableUpload, 'key' | 'fileName'>,
): Promise<void> {
  await tx.db
    .update(episodes)
    .set({ ...NO_FAILURE, replacementKey: audio.key, replacementName: audio.fileName, replacementAt: tx.now() })
    .where(eq(episodes.id, current.id));
  await tx.jobs.enqueue(checkAudio, { episodeId: current.id });
}

/** The new file becomes the audio. GUID, address and release time stay. @param episode the locked row */
export async function finishReplacement(
  tx: TxCtx,
  { id, productId, uploadKey, fileName, replacementKey, replacementName }: ManageableEpisode,
  checked: Omit<Partial<typeof episodes.$inferInsert>, 'status'>,
): Promise<void> {
  const file = { uploadKey: replacementKey ?? uploadKey, fileName: replacementName ?? fileName };
  await tx.db
    .update(episodes)
    .set({ ...checked, ...file, ...NO_REPLACEMENT, ...NO_FAILURE, updatedAt: tx.now() })
    .where(eq(episodes.id, id));
  await markProductChanged(tx, productId);
}

/** The former audio stays, and the owner sees the reason until they save the episode. @param episode the locked row */
export async function failReplacement(
  tx: TxCtx,
  { id, productId }: ManageableEpisode,
  failure: { failureReason: string; failureParams: ErrorParams },
): Promise<void> {
  await tx.db
    .update(episodes)
    .set({ ...failure, ...NOT_CHECKING })
    .where(eq(episodes.id, id));
  await announceChange(tx, `product:${productId}`);
}

/** Gives up checks of new files that haven't finished since `before`. */
export async function failOverdueReplacements(tx: TxCtx, before: Date): Promise<void> {
  const failed = await tx.db
    .update(episodes)
    .set({ failureReason: 'audio.check_failed', failureParams: {}, ...NOT_CHECKING })
    .where(and(lt(episodes.replacementAt, before), whereKept()))
    .returning({ productId: episodes.productId });
  for (const productId of new Set(failed.map((row) => row.productId))) await announceChange(tx, `product:${productId}`);
}

/** The owner has read why a new file failed, and saves the episode without it. */
export function dismissed({ status, replacementKey }: EpisodeRow) {
  const isFailed = isPublished({ status }) && replacementKey === null;
  return isFailed ? { ...NO_FAILURE, replacementName: null } : {};
}
