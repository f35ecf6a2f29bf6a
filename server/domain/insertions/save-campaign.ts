import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { campaignClips, campaignEpisodes, insertionCampaigns } from '~/db/schema/insertions';
import { dayIn } from '../../base/time';
import { CAMPAIGN_LIMITS } from '../../limits/insertions';
import { authorize } from '../../policy/authorize';
import { whereKept } from '../../policy/visibility';
import { refreshServed } from '../../queue/jobs/insertions';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { requireFeature } from '../plans/features';
import { productNotFound } from '../products/errors';
import { lockProduct } from '../products/price-product';
import { findProductRecord, type ProductRow } from '../products/queries';
import { recordActivity } from '../team/activity';
import { assertFreeDates } from './campaign-dates';
import {
  campaignEnded,
  campaignNotFound,
  clipUnusable,
  episodeUnknown,
  subscribersPromised,
  tooManyCampaigns,
} from './errors';
import { lockClips } from './list-clips';
import { prepareClips } from './prepare-clips';
import { type CampaignRow, findCampaignRecord } from './queries';
import { type CampaignTerms, campaignProblems, effectiveTerms } from './rules';
import type { CreateCampaign, EditCampaign } from './schema';

/**
 * Adds a campaign or a fallback to a show.
 * @throws product.not_found, plan.insertions_required, the errors of `campaignProblems`, campaign.clip_unusable,
 * campaign.episode_unknown, campaign.same_dates, campaign.subscribers_promised, campaign.limit_reached
 */
export async function createCampaign(ctx: Ctx, input: CreateCampaign): Promise<{ id: number }> {
  const { product } = await findProductRecord(ctx, input.productId);
  const { id: productId, creatorId } = authorize(ctx, 'product.manage', product);
  await requireFeature(ctx, creatorId, 'insertions');
  const { timeZone } = await findCreator(ctx, creatorId);
  const terms = effectiveTerms(termsIn(input, input.kind));
  assertPossible(terms, { today: dayIn(ctx.now(), timeZone), used: 0, formerLastDay: null });
  return transact(ctx, async (tx) => {
    // of two campaigns that are saved at once, the second one sees the first
    const current = await lockProduct(tx, productId);
    if (!current) throw productNotFound();
    assertKeepsPromise(terms, current);
    // creators can't delete promos, so these must not use up their campaigns
    const own = and(whereOfShow(productId), ne(insertionCampaigns.kind, 'promo'));
    const total = await tx.db.$count(insertionCampaigns, own);
    if (total >= CAMPAIGN_LIMITS.perShow) throw tooManyCampaigns({ count: CAMPAIGN_LIMITS.perShow });
    await assertPartsUsable(tx, { creatorId, productId }, terms);
    if (!terms.isDraft) await assertFreeDates(tx, { id: null, productId, timeZone }, terms);
    await tx.reach('campaign.checked');
    const [row] = await tx.db
      .insert(insertionCampaigns)
      .values({
        ...{ creatorId, productId, kind: input.kind, rank: await nextRank(tx, productId) },
        ...columnsOf(terms, input),
        isComplete: !terms.isDraft,
        ...{ createdAt: tx.now(), updatedAt: tx.now() },
      })
      .returning({ id: insertionCampaigns.id });
    await writeParts(tx, row!.id, terms);
    await prepare(tx, { id: row!.id, productId });
    const params = { campaign: input.name, name: product.name };
    await recordActivity(tx, { creatorId, action: 'campaign.created', subjectId: row!.id, params });
    return row!;
  });
}

/**
 * Changes all values of a campaign that has not been ended. A complete campaign stays complete.
 * @throws campaign.not_found, campaign.ended, and the errors of createCampaign
 */
export async function editCampaign(ctx: Ctx, { id, ...input }: EditCampaign): Promise<void> {
  const found = await findCampaignRecord(ctx, id);
  const { creatorId, productId, kind } = authorize(ctx, 'campaign.manage', found.campaign);
  if (kind === 'promo') throw campaignNotFound();
  await requireFeature(ctx, creatorId, 'insertions');
  await transact(ctx, async (tx) => {
    const show = await lockProduct(tx, productId);
    if (!show) throw campaignNotFound();
    const current = await lockCampaign(tx, id);
    const isDraft = input.isDraft && !current.isComplete;
    const terms = effectiveTerms(termsIn({ ...input, isDraft }, kind));
    assertPossible(terms, {
      today: dayIn(tx.now(), found.timeZone),
      used: current.impressions + current.reserved,
      formerLastDay: current.lastDay,
    });
    assertKeepsPromise(terms, show);
    await assertPartsUsable(tx, { creatorId, productId }, terms);
    if (!isDraft) await assertFreeDates(tx, { id, productId, timeZone: found.timeZone }, terms);
    await tx.reach('campaign.checked');
    await tx.db
      .update(insertionCampaigns)
      .set({ ...columnsOf(terms, input), isComplete: !isDraft, failureReason: null, updatedAt: tx.now() })
      .where(eq(insertionCampaigns.id, id));
    await tx.db.delete(campaignClips).where(eq(campaignClips.campaignId, id));
    await tx.db.delete(campaignEpisodes).where(eq(campaignEpisodes.campaignId, id));
    await writeParts(tx, id, terms);
    await prepare(tx, { id, productId });
    const params = { campaign: input.name, name: found.product.name };
    await recordActivity(tx, { creatorId, action: 'campaign.updated', subjectId: id, params });
  });
}

type Values = Omit<EditCampaign, 'id'>;

function termsIn(input: Values, kind: CampaignRow['kind']): CampaignTerms {
  const { place = null, number = 1, selectionDay = null, firstDay = null, lastDay = null, cap = null } = input;
  return { ...input, kind, place, number, selectionDay, firstDay, lastDay, cap };
}

/** @throws the first problem, with the others */
function assertPossible(terms: CampaignTerms, facts: Parameters<typeof campaignProblems>[1]): void {
  const [first, ...others] = campaignProblems(terms, facts);
  if (!first) return;
  first.others = others;
  throw first;
}

/** The product is locked. @throws campaign.subscribers_promised */
function assertKeepsPromise({ isDraft, inPrivateFeeds }: CampaignTerms, { insertionFreeSince }: ProductRow): void {
  if (!isDraft && inPrivateFeeds && insertionFreeSince !== null) throw subscribersPromised();
}

const whereOfShow = (productId: number) =>
  and(eq(insertionCampaigns.productId, productId), isNull(insertionCampaigns.deletedAt));

/** The current row, locked: impressions are counted at the same time. @throws campaign.not_found, campaign.ended */
async function lockCampaign(tx: TxCtx, id: number): Promise<CampaignRow> {
  const isKept = and(eq(insertionCampaigns.id, id), isNull(insertionCampaigns.deletedAt));
  const [row] = await tx.db.select().from(insertionCampaigns).where(isKept).for('update');
  if (!row) throw campaignNotFound();
  if (row.endedAt !== null) throw campaignEnded();
  return row;
}

/** Clips of the same creator, and episodes of the same show. @throws campaign.clip_unusable, campaign.episode_unknown */
async function assertPartsUsable(
  tx: TxCtx,
  { creatorId, productId }: Pick<CampaignRow, 'creatorId' | 'productId'>,
  { clipIds, episodeIds }: CampaignTerms,
): Promise<void> {
  // a clip that is deleted at the same time waits, and finds the campaign
  if (!(await lockClips(tx, creatorId, clipIds))) throw clipUnusable();
  if (episodeIds.length === 0) return;
  const isOfShow = and(eq(episodes.productId, productId), whereKept());
  const known = await tx.db.$count(episodes, and(inArray(episodes.id, [...episodeIds]), isOfShow));
  if (known !== episodeIds.length) throw episodeUnknown();
}

/** A new campaign comes last. */
async function nextRank(tx: TxCtx, productId: number): Promise<number> {
  const [row] = await tx.db
    .select({ next: sql<number>`coalesce(max(${insertionCampaigns.rank}), 0)::int + 1` })
    .from(insertionCampaigns)
    .where(eq(insertionCampaigns.productId, productId));
  return row!.next;
}

function columnsOf(terms: CampaignTerms, input: Values) {
  const { place, number, selection, selectionDay, firstDay, lastDay, cap, isPaced } = terms;
  const { name, isActive, countries, silenceBeforeMs = 0, silenceAfterMs = 0 } = input;
  const { inPublicFeed, inPrivateFeeds, inWebPlayer } = input;
  return {
    ...{ name, isActive, countries, silenceBeforeMs, silenceAfterMs },
    // a draft without a place has the first one, until it is complete
    ...{ place: place ?? 'pre', number, selection, selectionDay, firstDay, lastDay, cap, isPaced },
    ...{ inPublicFeed, inPrivateFeeds, inWebPlayer },
  };
}

async function writeParts(tx: TxCtx, campaignId: number, { clipIds, episodeIds }: CampaignTerms): Promise<void> {
  if (clipIds.length > 0)
    await tx.db.insert(campaignClips).values(clipIds.map((clipId, rank) => ({ campaignId, clipId, rank })));
  if (episodeIds.length > 0)
    await tx.db.insert(campaignEpisodes).values(episodeIds.map((episodeId) => ({ campaignId, episodeId })));
}

/** Lengths change at once where its clips were converted before, and otherwise when they are. */
async function prepare(tx: TxCtx, { id, productId }: Pick<CampaignRow, 'id' | 'productId'>): Promise<void> {
  await prepareClips(tx, { campaignId: id });
  await tx.jobs.enqueue(refreshServed, { productId });
}
