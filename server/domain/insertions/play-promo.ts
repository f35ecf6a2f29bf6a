import { randomUUID } from 'node:crypto';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { campaignClips, campaignEpisodes, clips, insertionCampaigns } from '~/db/schema/insertions';
import { refreshServed } from '../../queue/jobs/insertions';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { keepNewFile } from '../media/new-files';
import { clipFolder } from './clip-files';
import { prepareClips } from './prepare-clips';

/** A file of MP3. */
type Sound = { audioKey: string; audioBytes: number; durationMs: number };

/** The promo of a show in the episodes of another show. Days in the time zone of the creator who plays it. */
export type NewPromoCampaign = {
  creatorId: number;
  productId: number;
  /** Of the recommended show. */
  name: string;
  isAtEnd: boolean;
  selection: 'all' | 'new' | 'chosen';
  episodeIds: number[];
  firstDay: string;
  lastDay: string | null;
  copy: Sound;
};

/**
 * Copies a promo to the files of the creator who plays it, before the transaction that uses it: the recommended creator
 * can replace the original at any time, and both have agreed to this one.
 */
export async function copyPromo(ctx: Ctx, promo: Sound, creatorId: number): Promise<Sound> {
  const audioKey = `${clipFolder(creatorId)}${randomUUID()}.mp3`;
  await keepNewFile(ctx, audioKey, () => ctx.ports.storage.copy(promo.audioKey, audioKey));
  return { audioKey, audioBytes: promo.audioBytes, durationMs: promo.durationMs };
}

/**
 * Makes a promo play, by a campaign like other clips. Subscribers don't hear promos of other shows in their private
 * feeds. @returns the id of the campaign
 */
export async function playPromo(tx: TxCtx, promo: NewPromoCampaign): Promise<number> {
  const { creatorId, productId, name, selection, firstDay, lastDay, copy } = promo;
  const made = { creatorId, name, createdAt: tx.now(), updatedAt: tx.now() };
  const [clip] = await tx.db
    .insert(clips)
    .values({ ...made, origin: 'promo', status: 'ready', ...copy })
    .returning({ id: clips.id });
  const [campaign] = await tx.db
    .insert(insertionCampaigns)
    .values({
      ...made,
      ...{ productId, kind: 'promo', isComplete: true, isActive: true, firstDay, lastDay },
      ...{ place: promo.isAtEnd ? 'post' : 'pre', number: 0 },
      ...{ selection, selectionDay: selection === 'new' ? firstDay : null },
      // in the order in which they were accepted
      rank: await countPromos(tx, productId),
      ...{ inPublicFeed: true, inPrivateFeeds: false, inWebPlayer: true },
    })
    .returning({ id: insertionCampaigns.id });
  const campaignId = campaign!.id;
  await tx.db.insert(campaignClips).values({ campaignId, clipId: clip!.id, rank: 0 });
  if (selection === 'chosen') await addEpisodes(tx, campaignId, promo);
  await prepareClips(tx, { campaignId });
  await tx.jobs.enqueue(refreshServed, { productId });
  return campaignId;
}

const countPromos = ({ db }: TxCtx, productId: number): Promise<number> =>
  db.$count(insertionCampaigns, and(eq(insertionCampaigns.productId, productId), eq(insertionCampaigns.kind, 'promo')));

/** Those that still exist. */
async function addEpisodes({ db }: TxCtx, campaignId: number, { productId, episodeIds }: NewPromoCampaign) {
  const isIts = and(eq(episodes.productId, productId), inArray(episodes.id, episodeIds));
  const campaign = sql<number>`${campaignId}::bigint`.as('campaign_id');
  const chosen = db.select({ campaignId: campaign, episodeId: episodes.id }).from(episodes).where(isIts);
  await db.insert(campaignEpisodes).select(chosen);
}

/** Ends the campaigns. The files stay for as long as somebody may still be listening to them. */
export async function stopPromos(tx: TxCtx, campaignIds: number[]): Promise<void> {
  if (campaignIds.length === 0) return;
  const ended = { endedAt: tx.now(), updatedAt: tx.now() };
  const isRunning = and(inArray(insertionCampaigns.id, campaignIds), isNull(insertionCampaigns.endedAt));
  const stopped = await tx.db
    .update(insertionCampaigns)
    .set(ended)
    .where(isRunning)
    .returning({ productId: insertionCampaigns.productId });
  await tx.jobs.enqueueAll(refreshServed, stopped);
  const used = tx.db
    .select({ id: campaignClips.clipId })
    .from(campaignClips)
    .where(inArray(campaignClips.campaignId, campaignIds));
  await tx.db
    .update(clips)
    .set({ deletedAt: tx.now(), updatedAt: tx.now() })
    .where(and(inArray(clips.id, used), eq(clips.origin, 'promo'), isNull(clips.deletedAt)));
}
