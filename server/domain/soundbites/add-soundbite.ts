import { createHash, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { soundbites } from '~/db/schema/soundbites';
import { SOUNDBITE_LIMITS } from '../../limits/soundbites';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { alreadyChanged } from '../episodes/errors';
import { findEpisodeRecord, lockEpisodeRow } from '../episodes/queries';
import type { ManageableEpisode } from '../episodes/transitions';
import { cutPassage } from '../media/cut-passage';
import { storeNewFile } from '../media/new-files';
import { markProductChanged } from '../products/mark-product-changed';
import { recordAbout } from '../team/activity';
import { soundbiteLimitReached, soundbiteNeedsAudio, soundbiteOutside } from './errors';
import { type SoundbiteView, toSoundbiteView } from './list-soundbites';
import type { AddSoundbite } from './schema';

/**
 * Adds a passage of an episode as a soundbite, with a file of its own, which has none of the clips that listeners hear in
 * the episode. Only the episode's current file can be cut.
 * @throws episode.not_found, episode.already_changed, soundbite.needs_audio, soundbite.outside, soundbite.limit_reached
 */
export async function addSoundbite(ctx: Ctx, input: AddSoundbite): Promise<SoundbiteView> {
  const found = await findEpisodeRecord(ctx, input.episodeId);
  const episode = authorize(ctx, 'episode.manage', found.episode);
  const { audioKey: sourceKey, durationMs } = episode;
  if (sourceKey === null) throw soundbiteNeedsAudio();
  if (durationMs !== null && input.endMs > durationMs) throw soundbiteOutside();
  await assertRoom(ctx, episode.id);
  const file = await storeFile(ctx, episode, { ...input, sourceKey });
  await ctx.reach('soundbite.cut');
  return transact(ctx, (tx) => insertSoundbite(tx, episode, { ...input, ...file, sourceKey }));
}

type Passage = Pick<AddSoundbite, 'startMs' | 'endMs'> & { sourceKey: string };

async function storeFile(ctx: Ctx, { id, creatorId }: ManageableEpisode, { startMs, endMs, sourceKey }: Passage) {
  const cut = await cutPassage(ctx.ports, { audioKey: sourceKey, startMs, endMs }, SOUNDBITE_LIMITS);
  if (!cut) throw soundbiteOutside();
  const hash = createHash('sha256').update(cut.bytes).digest('hex');
  // a unique key, because a job may still delete the former file of the same passage
  const audioKey = `audio/${creatorId}/${id}/soundbites/${hash}-${randomBytes(6).toString('hex')}.mp3`;
  await storeNewFile(ctx, audioKey, cut.bytes);
  return { audioKey, audioBytes: cut.bytes.length };
}

type NewSoundbite = Passage & Pick<AddSoundbite, 'title'> & { audioKey: string; audioBytes: number };

async function insertSoundbite(tx: TxCtx, episode: ManageableEpisode, soundbite: NewSoundbite): Promise<SoundbiteView> {
  const { id: episodeId, creatorId, productId } = episode;
  const { title, startMs, endMs, sourceKey, audioKey, audioBytes } = soundbite;
  // of two at once, the second counts the first; another file has other times
  const row = await lockEpisodeRow(tx, episodeId);
  if (row?.audioKey !== sourceKey) throw alreadyChanged();
  await assertRoom(tx, episodeId);
  const times = { createdAt: tx.now(), updatedAt: tx.now() };
  const [added] = await tx.db
    .insert(soundbites)
    .values({ creatorId, episodeId, title, startMs, endMs, sourceKey, audioKey, audioBytes, ...times })
    .returning();
  await recordAbout(tx, 'episode.soundbite_added', episode);
  await markProductChanged(tx, productId);
  return toSoundbiteView(added!, sourceKey);
}

async function assertRoom({ db }: Pick<Ctx, 'db'>, episodeId: number): Promise<void> {
  const { perEpisode: max } = SOUNDBITE_LIMITS;
  if ((await db.$count(soundbites, eq(soundbites.episodeId, episodeId))) >= max) throw soundbiteLimitReached({ max });
}
