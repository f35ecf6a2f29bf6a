import { and, asc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { campaignClips, campaignEpisodes, insertionCampaigns } from '~/db/schema/insertions';
import { CAMPAIGN_LIMITS } from '../../limits/insertions';
import type { Ctx } from '../../runtime/ctx';
import { localDay, mayPlay, whereNotEnded } from './queries';
import { type ClipUser, silencerOf } from './silencers';

export type Silencer = { id: number; name: string };

/**
 * Running campaigns that nobody hears, because others play their clips before them.
 * @returns the campaign that silences each of them, by its id
 */
export async function listSilencers(
  ctx: Pick<Ctx, 'db' | 'now'>,
  running: readonly { id: number; productId: number }[],
): Promise<Map<number, Silencer>> {
  if (running.length === 0) return new Map();
  const users = await listUsersOfShared(ctx, [...new Set(running.map(({ productId }) => productId))]);
  const entries = running.flatMap(({ id, productId }): [number, Silencer][] => {
    const campaign = users.find((user) => user.id === id);
    const ofShow = users.filter((user) => user.productId === productId && user.id !== id);
    const found = campaign && silencerOf(campaign, ofShow);
    return found ? [[id, { id: found.id, name: found.name }]] : [];
  });
  return new Map(entries);
}

type User = ClipUser & Silencer & { productId: number };

/** The running campaigns of some shows of which another campaign has a clip, too. */
function listUsersOfShared({ db, now }: Pick<Ctx, 'db' | 'now'>, productIds: number[]): Promise<User[]> {
  const { id, firstDay, kind } = insertionCampaigns;
  const isShared = sql`exists (
    select from ${campaignClips} mine join ${campaignClips} theirs
      on theirs.clip_id = mine.clip_id and theirs.campaign_id <> mine.campaign_id
    where mine.campaign_id = ${id})`;
  const hasBegun = sql`${firstDay} is null or ${firstDay} <= ${localDay(now())}`;
  return db
    .select(USER)
    .from(insertionCampaigns)
    .innerJoin(creators, eq(creators.id, insertionCampaigns.creatorId))
    .where(
      and(
        inArray(insertionCampaigns.productId, productIds),
        ne(kind, 'promo'),
        ...[mayPlay(now()), whereNotEnded(now()), sql`(${hasBegun})`, isShared],
      ),
    )
    .orderBy(asc(insertionCampaigns.productId), asc(insertionCampaigns.rank), asc(id))
    .limit(CAMPAIGN_LIMITS.perShow * productIds.length);
}

const idsIn = (rows: SQL): SQL<number[]> => sql<number[]>`array(${rows})`;
const USER = {
  id: insertionCampaigns.id,
  name: insertionCampaigns.name,
  productId: insertionCampaigns.productId,
  kind: insertionCampaigns.kind,
  place: insertionCampaigns.place,
  number: insertionCampaigns.number,
  selection: insertionCampaigns.selection,
  selectionDay: insertionCampaigns.selectionDay,
  isPaced: insertionCampaigns.isPaced,
  inPublicFeed: insertionCampaigns.inPublicFeed,
  inPrivateFeeds: insertionCampaigns.inPrivateFeeds,
  inWebPlayer: insertionCampaigns.inWebPlayer,
  countries: insertionCampaigns.countries,
  clipIds: idsIn(sql`
    select ${campaignClips.clipId}::float8 from ${campaignClips}
    where ${campaignClips.campaignId} = ${insertionCampaigns.id} order by ${campaignClips.rank}`),
  episodeIds: idsIn(sql`
    select ${campaignEpisodes.episodeId}::float8 from ${campaignEpisodes}
    where ${campaignEpisodes.campaignId} = ${insertionCampaigns.id}`),
};
