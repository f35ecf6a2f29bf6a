import { and, asc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { campaignClips, campaignEpisodes, insertionCampaigns } from '~/db/schema/insertions';
import { CAMPAIGN_LIMITS } from '../../limits/insertions';
import type { Ctx } from '../../runtime/ctx';
import { localDay, mayPlay, whereNotEnded } from './queries';
import { type ChosenEpisodes, type ClipUser, silencerOf, suspectsFor } from './silencers';

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
  const byId = new Map(users.map((user) => [user.id, user]));
  const suspected = running.flatMap(({ id, productId }): Suspected[] => {
    const campaign = byId.get(id);
    const ofShow = users.filter((user) => user.productId === productId && user.id !== id);
    const suspects = campaign ? suspectsFor(campaign, ofShow) : [];
    return campaign && suspects.length > 0 ? [{ campaign, suspects }] : [];
  });
  const chosen = await readChosen(ctx, suspected);
  const entries = suspected.flatMap(({ campaign, suspects }): [number, Silencer][] => {
    const found = silencerOf(campaign, suspects, chosen);
    return found ? [[campaign.id, { id: found.id, name: found.name }]] : [];
  });
  return new Map(entries);
}

type Suspected = { campaign: User; suspects: User[] };

/**
 * The chosen episodes of those of which two could meet: each of a hundred campaigns may have a thousand, and most of them
 * are never compared.
 */
async function readChosen({ db }: Pick<Ctx, 'db'>, suspected: Suspected[]): Promise<ChosenEpisodes> {
  const isChosen = ({ selection }: User) => selection === 'chosen';
  const compared = suspected.flatMap(({ campaign, suspects }) => {
    const others = isChosen(campaign) ? suspects.filter(isChosen) : [];
    return others.length > 0 ? [campaign, ...others] : [];
  });
  const ids = [...new Set(compared.map(({ id }) => id))];
  if (ids.length === 0) return new Map();
  const { campaignId, episodeId } = campaignEpisodes;
  const rows = await db
    .select({ campaignId, episodeIds: sql<string>`string_agg(${episodeId}::text, ',')` })
    .from(campaignEpisodes)
    .where(inArray(campaignId, ids))
    .groupBy(campaignId)
    .orderBy(campaignId);
  return new Map(rows.map((row) => [row.campaignId, new Set(row.episodeIds.split(',').map(Number))]));
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
};
