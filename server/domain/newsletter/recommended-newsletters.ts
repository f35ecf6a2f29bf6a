import { and, asc, eq, isNull, type SQL } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { newsletterRecommendations, newsletters } from '~/db/schema/newsletter';
import { RECOMMENDATION_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { readConfirmed } from '../audience/confirmed-address';
import { type CoverUrls, coverUrls } from '../media/rules';
import type { ConfirmedLink } from './schema';

/** A newsletter in a list of recommendations. `id` and `creator`: of the creator who publishes it. */
export type RecommendedNewsletter = {
  id: number;
  name: string;
  description: string;
  creator: string;
  logo: CoverUrls | null;
  url: string;
};

/** A newsletter that others may recommend: public, sent, and its creator does not refuse. Needs `creators` and `newsletters`. */
export const isRecommendable = (): SQL | undefined =>
  and(
    eq(creators.showNewsletter, true),
    eq(newsletters.mayBeRecommended, true),
    isNull(creators.closedAt),
    isNull(creators.takenDownAt),
    isNull(creators.publishingStoppedAt),
  );

export const RECOMMENDED = {
  id: creators.id,
  name: newsletters.name,
  description: newsletters.description,
  creator: creators.name,
  domain: creators.domain,
  logoKey: newsletters.logoKey,
  avatarKey: creators.avatarKey,
};
type Row = { [K in keyof typeof RECOMMENDED]: (typeof RECOMMENDED)[K]['_']['data'] | Nullable<K> };
type Nullable<K> = K extends 'logoKey' | 'avatarKey' ? null : never;

export function toRecommended({ urls }: Pick<Ctx, 'urls'>, { domain, logoKey, avatarKey, ...row }: Row) {
  const picture = logoKey ?? avatarKey;
  return { ...row, logo: picture === null ? null : coverUrls(picture), url: urls.creator(domain) };
}

/** What a creator recommends and its publishers allow now, in the order in which it was added. */
export async function listRecommended(ctx: Pick<Ctx, 'db' | 'urls'>, creatorId: number) {
  const rows = await selectRecommended(ctx, creatorId);
  return rows.map((row): RecommendedNewsletter => toRecommended(ctx, row));
}

/** The same. Until the transaction ends, none of their creators refuses, closes the page or is taken down. */
export async function lockRecommended(tx: TxCtx, creatorId: number) {
  const rows = await selectRecommended(tx, creatorId).for('share', { of: [creators, newsletters] });
  return rows.map((row): RecommendedNewsletter => toRecommended(tx, row));
}

const selectRecommended = ({ db }: Pick<Ctx, 'db'>, creatorId: number) =>
  db
    .select(RECOMMENDED)
    .from(newsletterRecommendations)
    .innerJoin(creators, eq(creators.id, newsletterRecommendations.recommendedId))
    .innerJoin(newsletters, eq(newsletters.creatorId, creators.id))
    .where(and(eq(newsletterRecommendations.creatorId, creatorId), isRecommendable()))
    .orderBy(asc(newsletterRecommendations.createdAt), asc(creators.id))
    .limit(RECOMMENDATION_LIMITS.newsletters);

/** What the page after a confirmation offers. @throws audience.join_link_expired */
export async function findOffered(ctx: Ctx, { confirmed }: ConfirmedLink): Promise<RecommendedNewsletter[]> {
  const { creator } = await readConfirmed(ctx, confirmed);
  return listRecommended(ctx, creator.id);
}

/** `isShown`: false as long as its creator has no public newsletter, or refuses to be recommended. */
export type OwnRecommendation = { id: number; name: string; creator: string; isShown: boolean };

/** All recommendations of the creator for whom the user works, with those that nobody sees now. */
export async function listOwnRecommendations(ctx: Ctx): Promise<OwnRecommendation[]> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const [rows, shown] = await Promise.all([
    ctx.db
      .select({ id: creators.id, creator: creators.name, name: newsletters.name })
      .from(newsletterRecommendations)
      .innerJoin(creators, eq(creators.id, newsletterRecommendations.recommendedId))
      .leftJoin(newsletters, eq(newsletters.creatorId, creators.id))
      .where(eq(newsletterRecommendations.creatorId, creatorId))
      .orderBy(asc(newsletterRecommendations.createdAt), asc(creators.id))
      .limit(RECOMMENDATION_LIMITS.newsletters),
    listRecommended(ctx, creatorId),
  ]);
  const ids = new Set(shown.map(({ id }) => id));
  return rows.map((row) => ({ ...row, name: row.name ?? row.creator, isShown: ids.has(row.id) }));
}
