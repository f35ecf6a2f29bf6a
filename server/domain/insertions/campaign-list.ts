import { and, asc, count, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { campaignClips, campaignEpisodes, clips, insertionCampaigns } from '~/db/schema/insertions';
import { products } from '~/db/schema/products';
import { matchesPattern, patternOf } from '~/db/search';
import type { ClipState } from '~/db/values/insertions';
import { pick } from '../../base/fields';
import type { Page } from '../../base/paging';
import { dayIn } from '../../base/time';
import { requireCreator } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import { whereProductVisible } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { includesFeature } from '../plans/features';
import type { KindName } from '../products/kinds';
import { findProductRecord } from '../products/queries';
import { clipsProgressOf } from './clip-states';
import { type ClipView, toClipView } from './list-clips';
import { type CampaignRow, findCampaignRecord } from './queries';
import { type CampaignState, campaignStateOf } from './rules';
import type { FindCampaign, ListCampaigns } from './schema';
import { listSilencers, type Silencer } from './silent-campaigns';

const SHOWN = [
  ...(['id', 'kind', 'name', 'isActive', 'place', 'number', 'selection', 'selectionDay'] as const),
  ...(['firstDay', 'lastDay', 'cap', 'isPaced', 'impressions', 'failureReason', 'countries'] as const),
  ...(['inPublicFeed', 'inPrivateFeeds', 'inWebPlayer', 'silenceBeforeMs', 'silenceAfterMs', 'endedAt'] as const),
] as const;

/**
 * `clips`: in the order in which they take turns; `url` as in `ClipView`, null for a promo's copy. `chosen`: the number
 * of chosen episodes. `prepared`: conversions of its clips that are done, and that its episodes need. `silencedBy`: of a
 * running one that nobody hears, the campaign that plays the same clip before it.
 */
export type CampaignView = Pick<CampaignRow, (typeof SHOWN)[number]> & {
  state: CampaignState;
  clips: CampaignClip[];
  chosen: number;
  prepared: { ready: number; total: number };
  silencedBy: Silencer | null;
  product: { id: number; name: string; kind: KindName };
};
/** `isOffered`: the plan includes insertions. `today`: in the creator's time zone, in which campaigns have their days. */
export type CampaignPage = Page<CampaignView> & { isOffered: boolean; canManage: boolean; today: string };
export type CampaignDetails = CampaignView & { episodeIds: number[]; canManage: boolean; isOffered: boolean };

/**
 * The campaigns of a show, or of all shows of the creator that the user works for: by show and kind, in their order.
 * @throws product.not_found, common.role_not_allowed
 */
export async function listCampaigns(ctx: Ctx, input: ListCampaigns): Promise<CampaignPage> {
  const { creatorId } = authorize(ctx, 'campaign.read', await subjectOf(ctx, input.productId));
  const { page, pageSize, search, productId } = input;
  const where = and(
    eq(insertionCampaigns.creatorId, creatorId),
    productId ? eq(insertionCampaigns.productId, productId) : undefined,
    matchesPattern(insertionCampaigns.name, patternOf(search)),
    isListed(),
  );
  const kinds = sql`array_position(array['campaign', 'promo', 'fallback'], ${insertionCampaigns.kind})`;
  const [rows, [counted], isOffered, { timeZone }] = await Promise.all([
    selectCampaigns(ctx, where)
      .orderBy(asc(insertionCampaigns.productId), kinds, insertionCampaigns.rank, insertionCampaigns.id)
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db
      .select({ total: count() })
      .from(insertionCampaigns)
      .innerJoin(products, eq(products.id, insertionCampaigns.productId))
      .where(where),
    includesFeature(ctx, creatorId, 'insertions'),
    findCreator(ctx, creatorId),
  ]);
  const today = dayIn(ctx.now(), timeZone);
  const items = await toViews(ctx, rows);
  const canManage = may(ctx, 'campaign.manage', { creatorId });
  return { items, total: counted?.total ?? 0, page, pageSize, isOffered, canManage, today };
}

/** A campaign with all its values. @throws campaign.not_found, common.role_not_allowed */
export async function findCampaign(ctx: Ctx, { id }: FindCampaign): Promise<CampaignDetails> {
  const { campaign } = await findCampaignRecord(ctx, id);
  const { creatorId } = authorize(ctx, 'campaign.read', campaign);
  const [rows, chosen, isOffered] = await Promise.all([
    selectCampaigns(ctx, eq(insertionCampaigns.id, id)),
    ctx.db
      .select({ id: campaignEpisodes.episodeId })
      .from(campaignEpisodes)
      .where(eq(campaignEpisodes.campaignId, id))
      .orderBy(campaignEpisodes.episodeId),
    includesFeature(ctx, creatorId, 'insertions'),
  ]);
  const [view] = await toViews(ctx, rows);
  const canManage = may(ctx, 'campaign.manage', { creatorId });
  return { ...view!, episodeIds: chosen.map((row) => row.id), canManage, isOffered };
}

/** The states of campaigns, as their list shows them, by campaign. */
export async function campaignStates(
  ctx: Pick<Ctx, 'db' | 'now'>,
  ids: readonly number[],
): Promise<Map<number, CampaignState>> {
  if (ids.length === 0) return new Map();
  const views = await toViews(ctx, await selectCampaigns(ctx, inArray(insertionCampaigns.id, [...ids])));
  return new Map(views.map(({ id, state }) => [id, state]));
}

async function subjectOf(ctx: Ctx, productId: number | undefined): Promise<{ creatorId: number }> {
  if (productId === undefined) return requireCreator(ctx);
  const { product } = await findProductRecord(ctx, productId);
  return authorize(ctx, 'product.read', product);
}

const isListed = (): SQL | undefined => and(isNull(insertionCampaigns.deletedAt), whereProductVisible());

const CHOSEN = sql<number>`(
  select count(*)::int from ${campaignEpisodes} where ${campaignEpisodes.campaignId} = ${insertionCampaigns.id})`;

const selectCampaigns = ({ db }: Pick<Ctx, 'db'>, where: SQL | undefined) =>
  db
    .select({
      campaign: insertionCampaigns,
      chosen: CHOSEN,
      timeZone: creators.timeZone,
      product: { id: products.id, name: products.name, kind: products.kind },
    })
    .from(insertionCampaigns)
    .innerJoin(products, eq(products.id, insertionCampaigns.productId))
    .innerJoin(creators, eq(creators.id, insertionCampaigns.creatorId))
    .where(where);

type FoundCampaign = Awaited<ReturnType<typeof selectCampaigns>>[number];

async function toViews(ctx: Pick<Ctx, 'db' | 'now'>, rows: FoundCampaign[]): Promise<CampaignView[]> {
  const ids = rows.map(({ campaign }) => campaign.id);
  const [clipsOf, progress] = await Promise.all([listClips(ctx, ids), clipsProgressOf(ctx, ids)]);
  const views = rows.map(({ campaign, timeZone, chosen, product }) => {
    const own = clipsOf.get(campaign.id) ?? [];
    const { state: converted, ready, total } = progress.get(campaign.id)!;
    const states = [converted, ...own.map(({ status }) => status)];
    const clipState = states.find((one) => one === 'failed') ?? states.find((one) => one === 'in_progress') ?? 'ready';
    const state = campaignStateOf({ ...campaign, clips: clipState }, dayIn(ctx.now(), timeZone));
    const parts = { clips: own.map(({ status: _, ...clip }) => clip), prepared: { ready, total } };
    return { ...pick(campaign, SHOWN), state, chosen, product, ...parts };
  });
  const running = views.filter(({ state }) => state === 'running');
  const silencers = await listSilencers(
    ctx,
    running.map(({ id, product }) => ({ id, productId: product.id })),
  );
  return views.map((view) => ({ ...view, silencedBy: silencers.get(view.id) ?? null }));
}

async function listClips({ db }: Pick<Ctx, 'db'>, campaignIds: number[]) {
  const clipsOf = new Map<number, (CampaignClip & { status: ClipState })[]>();
  if (campaignIds.length === 0) return clipsOf;
  const rows = await db
    .select({ campaignId: campaignClips.campaignId, clip: clips })
    .from(campaignClips)
    .innerJoin(clips, eq(clips.id, campaignClips.clipId))
    .where(inArray(campaignClips.campaignId, campaignIds))
    .orderBy(campaignClips.campaignId, campaignClips.rank);
  for (const { campaignId, clip } of rows) {
    const { id, name, durationMs, status, url } = toClipView(clip);
    const view = { id, name, durationMs, status, url: clip.origin === 'promo' ? null : url };
    clipsOf.set(campaignId, [...(clipsOf.get(campaignId) ?? []), view]);
  }
  return clipsOf;
}

type CampaignClip = Pick<ClipView, 'id' | 'name' | 'durationMs' | 'url'>;
