import { and, eq, isNull, ne, or, sql } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { campaignEpisodes, insertionCampaigns } from '~/db/schema/insertions';
import { dayIn } from '../../base/time';
import { whereKept } from '../../policy/visibility';
import type { TxCtx } from '../../runtime/ctx';
import { sameDates } from './errors';
import { type CampaignTerms, overlap, type SelectableEpisode, type Selection, shareEpisode } from './rules';

type Subject = { id: number | null; productId: number; timeZone: string };

/**
 * Two campaigns may not play in one place of an episode on the same day. Promos and fallbacks come after campaigns, and
 * drafts play nowhere. The product is locked. @throws campaign.same_dates
 */
export async function assertFreeDates(tx: TxCtx, { id, productId, timeZone }: Subject, terms: CampaignTerms) {
  if (terms.kind !== 'campaign') return;
  const today = dayIn(tx.now(), timeZone);
  const others = (await listOthers(tx, { id, productId }, terms)).filter(
    (other) => (other.lastDay === null || other.lastDay >= today) && overlap(terms, other),
  );
  if (others.length === 0) return;
  const all = await listSelectable(tx, productId, timeZone);
  const met = others.find((other) => shareEpisode(terms, other, { episodes: all, today }));
  if (met) throw sameDates({ campaign: met.name, id: met.id });
}

type Other = Selection & { id: number; name: string; firstDay: string | null; lastDay: string | null };

function listOthers(
  { db }: TxCtx,
  { id, productId }: Omit<Subject, 'timeZone'>,
  terms: CampaignTerms,
): Promise<Other[]> {
  const { cap, impressions } = insertionCampaigns;
  const isOpen = and(
    isNull(insertionCampaigns.endedAt),
    isNull(insertionCampaigns.deletedAt),
    or(isNull(cap), sql`${impressions} < ${cap}`),
  );
  const isSamePlace = and(
    eq(insertionCampaigns.place, terms.place!),
    eq(insertionCampaigns.number, terms.number),
    id === null ? undefined : ne(insertionCampaigns.id, id),
  );
  return db
    .select({
      id: insertionCampaigns.id,
      name: insertionCampaigns.name,
      selection: insertionCampaigns.selection,
      selectionDay: insertionCampaigns.selectionDay,
      firstDay: insertionCampaigns.firstDay,
      lastDay: insertionCampaigns.lastDay,
      episodeIds: sql<number[]>`array(
        select ${campaignEpisodes.episodeId}::float8 from ${campaignEpisodes}
        where ${campaignEpisodes.campaignId} = ${insertionCampaigns.id})`,
    })
    .from(insertionCampaigns)
    .where(
      and(
        eq(insertionCampaigns.productId, productId),
        eq(insertionCampaigns.kind, 'campaign'),
        eq(insertionCampaigns.isComplete, true),
        isOpen,
        isSamePlace,
      ),
    )
    .orderBy(insertionCampaigns.firstDay, insertionCampaigns.id);
}

/** All episodes of the show that are not deleted. */
async function listSelectable({ db }: TxCtx, productId: number, timeZone: string): Promise<SelectableEpisode[]> {
  const rows = await db
    .select({ id: episodes.id, releaseAt: episodes.releaseAt })
    .from(episodes)
    .where(and(eq(episodes.productId, productId), whereKept()));
  return rows.map(({ id, releaseAt }) => ({ id, releaseDay: releaseAt && dayIn(releaseAt, timeZone) }));
}
