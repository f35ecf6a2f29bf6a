import { and, asc, count, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { downloads, listeningDays } from '~/db/schema/listening';
import { earlier, utcDay } from '../../base/time';
import { CAMPAIGN_LIMITS } from '../../limits/insertions';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findProductRecord } from '../products/queries';
import type { CampaignReach } from './schema';

/**
 * How many of a show's downloads of the last 30 days came from these countries; without countries, all. Those of our
 * players count, too: clips play in them. Of a show with very many, they are the plays of whole days, with a listen in
 * place of each download of our players. @throws product.not_found, common.role_not_allowed
 */
export async function estimateReach(
  ctx: Ctx,
  { productId, countries }: CampaignReach,
): Promise<{ reached: number; all: number }> {
  const { product } = await findProductRecord(ctx, productId);
  authorize(ctx, 'campaign.read', authorize(ctx, 'product.read', product));
  const found = (await sumsOfDays(ctx, product)) ?? (await countDownloads(ctx, productId));
  const all = found.reduce((total, row) => total + row.plays, 0);
  const reached = found.filter((row) => countries.includes(row.country));
  return { reached: countries.length === 0 ? all : reached.reduce((total, row) => total + row.plays, 0), all };
}

type CountryPlays = { country: string; plays: number };

/** Null for a show whose rows are few enough to be counted, or whose sums are not complete in Postgres. */
async function sumsOfDays(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { id, creatorId }: { id: number; creatorId: number },
): Promise<CountryPlays[] | null> {
  const { day, dimensions, elsewhere, listens } = listeningDays;
  const isOfShow = and(eq(listeningDays.creatorId, creatorId), eq(listeningDays.productId, id));
  const days = await db
    .select({ listens, downloads: listeningDays.downloads, dimensions, elsewhere })
    .from(listeningDays)
    .where(and(isOfShow, gt(day, utcDay(earlier(now(), CAMPAIGN_LIMITS.reach)))))
    .orderBy(asc(day));
  const all = days.reduce((sum, row) => sum + row.listens + row.downloads, 0);
  if (all <= CAMPAIGN_LIMITS.reachRows || days.some((row) => Object.keys(row.elsewhere).length > 0)) return null;
  const plays = new Map<string, number>();
  for (const [country, n] of days.flatMap((row) => Object.entries(row.dimensions.country ?? {})))
    plays.set(country, (plays.get(country) ?? 0) + n);
  const known = [...plays].map(([country, n]) => ({ country, plays: n }));
  return [...known, { country: '', plays: all - known.reduce((sum, row) => sum + row.plays, 0) }];
}

async function countDownloads({ db, now }: Pick<Ctx, 'db' | 'now'>, productId: number): Promise<CountryPlays[]> {
  const { firstAt, countedAt } = downloads;
  const country = sql<string>`coalesce(${downloads.country}, '')`;
  const begun = gt(firstAt, earlier(now(), CAMPAIGN_LIMITS.reach));
  return db
    .select({ country, plays: count() })
    .from(downloads)
    .where(and(eq(downloads.productId, productId), begun, isNotNull(countedAt)))
    .groupBy(country)
    .orderBy(country);
}
