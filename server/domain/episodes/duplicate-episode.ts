import { randomBytes, randomUUID } from 'node:crypto';
import { eq, getTableColumns } from 'drizzle-orm';
import { episodeChapters, episodeTranscripts } from '~/db/schema/episode-parts';
import { type episodes, formerEpisodeSlugs } from '~/db/schema/episodes';
import { claimSlug } from '~/db/slug-history';
import { pick } from '../../base/fields';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { recordAbout } from '../team/activity';
import { asConflict, freeSlug } from './episode-slugs';
import { episodeTakenDown, needsAudio } from './errors';
import { findEpisodeRecord, lockEpisodeRow } from './queries';
import { EPISODE_FLAGS } from './rules';
import type { FindEpisode } from './schema';
import { insertDraft } from './transitions';
import { type EpisodeView, toEpisodeView } from './views';

/** Columns that are copied. The copy gets a new GUID, and no number or release time. */
const COPIED = [
  'creatorId',
  'productId',
  'description',
  'privateNote',
  'coverKey',
  'type',
  'sendEmail',
  'season',
  'people',
  'fileName',
  'audioKey',
  'audioBytes',
  'audioSha256',
  'durationMs',
  'bitrate',
  'sampleRate',
  'channels',
  'loudnessTenths',
  'peaksKey',
  'convertedFrom',
  'headBytes',
  'servedHead',
  'audioWarnings',
  ...EPISODE_FLAGS,
] as const satisfies (keyof typeof episodes.$inferSelect)[];

/**
 * Creates a draft with the same texts, cover and audio. Both episodes refer to the same file, which is deleted with the
 * last of them (media/erase-objects.ts). @throws episode.not_found, episode.taken_down, episode.needs_audio before its
 * audio has been checked
 */
export async function duplicateEpisode(ctx: Ctx, { id, kind }: FindEpisode): Promise<EpisodeView> {
  const found = await findEpisodeRecord(ctx, id, kind);
  authorize(ctx, 'episode.manage', found.episode);
  const copyId = await transact(ctx, (tx) => insertCopy(tx, id)).catch(asConflict);
  return toEpisodeView(ctx, await findEpisodeRecord(ctx, copyId));
}

async function insertCopy(tx: TxCtx, id: number): Promise<number> {
  // locked, so that its file can't be deleted before the copy refers to it
  const row = await lockEpisodeRow(tx, id);
  if (!row?.audioKey || row.status === 'in_progress' || row.status === 'failed') throw needsAudio();
  const original = authorize(tx, 'episode.manage', row);
  if (original.takenDownAt) throw episodeTakenDown();
  const name = copyName(tx, original.name);
  const slug = await freeSlug(tx, original.productId, name);
  const own = { name, slug, guid: randomUUID(), uploadKey: randomBytes(16).toString('hex') };
  const copyId = await insertDraft(tx, { ...pick(original, COPIED), ...own });
  await claimSlug(tx.db, formerEpisodeSlugs, { scopeId: original.productId, slug });
  await recordAbout(tx, 'episode.duplicated', original);
  const { chapters, edited } = episodeChapters;
  const [marked] = await tx.db
    .select({ chapters, edited })
    .from(episodeChapters)
    .where(eq(episodeChapters.episodeId, id));
  if (marked) await tx.db.insert(episodeChapters).values({ ...marked, episodeId: copyId, updatedAt: tx.now() });
  const { episodeId, updatedAt, ...transcript } = getTableColumns(episodeTranscripts);
  const [written] = await tx.db.select(transcript).from(episodeTranscripts).where(eq(episodeId, id));
  if (written) await tx.db.insert(episodeTranscripts).values({ ...written, episodeId: copyId, updatedAt: tx.now() });
  return copyId;
}

/** "Name (copy)", shortened to the longest name. */
function copyName(tx: TxCtx, name: string): string {
  const room = EPISODE_LIMITS.nameLength - tx.translate('content:episode.copy_of', { name: '' }).length;
  return tx.translate('content:episode.copy_of', { name: [...name].slice(0, room).join('').trimEnd() });
}
