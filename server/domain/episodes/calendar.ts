import { and, asc, eq, gte, inArray, lt, type SQL } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { startOfDay, toWallClock } from '../../base/time';
import { CALENDAR_LIMITS } from '../../limits/episodes';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { whereKept, whereProductVisible } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import type { KindName } from '../products/kinds';
import { nextMonth } from './rules';
import type { FindMonth } from './schema';

/** `day`: the date in the creator's time zone, as `2026-11-30`. */
export type Release = {
  id: number;
  productId: number;
  kind: KindName;
  name: string;
  productName: string;
  status: 'scheduled' | 'published';
  releaseAt: Date;
  day: string;
};
export type ReleaseMonth = { month: string; today: string; timeZone: string; releases: Release[] };

/** Past and future releases in a month of the creator's time zone, by default the current month. */
export async function releasesOfMonth(ctx: Ctx, input: FindMonth): Promise<ReleaseMonth> {
  const { creatorId } = authorize(ctx, 'episode.read', requireCreator(ctx));
  const { timeZone } = await findCreator(ctx, creatorId);
  const today = toWallClock(ctx.now(), timeZone).slice(0, DAY);
  const month = input.month ?? today.slice(0, MONTH);
  const within = and(
    gte(episodes.releaseAt, startOfDay(`${month}-01`, timeZone)),
    lt(episodes.releaseAt, startOfDay(`${nextMonth(month)}-01`, timeZone)),
  );
  const isReleased = inArray(episodes.status, ['scheduled', 'published']);
  const where = and(eq(episodes.creatorId, creatorId), isReleased, within);
  return {
    month,
    today,
    timeZone,
    releases: await selectReleases(ctx, { where, timeZone, limit: CALENDAR_LIMITS.month }),
  };
}

/** The creator's next scheduled episodes, the earliest first. */
export async function upcomingReleases(ctx: Ctx): Promise<Release[]> {
  const { creatorId } = authorize(ctx, 'episode.read', requireCreator(ctx));
  const { timeZone } = await findCreator(ctx, creatorId);
  const where = and(eq(episodes.creatorId, creatorId), eq(episodes.status, 'scheduled'));
  return selectReleases(ctx, { where, timeZone, limit: CALENDAR_LIMITS.upcoming });
}

const DAY = '2026-11-30'.length;
const MONTH = '2026-11'.length;

type Selection = { where: SQL | undefined; timeZone: string; limit: number };

async function selectReleases({ db }: Ctx, { where, timeZone, limit }: Selection): Promise<Release[]> {
  const { id, productId, name, status, releaseAt } = episodes;
  const rows = await db
    .select({ id, productId, name, status, releaseAt, kind: products.kind, productName: products.name })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(and(where, whereKept(), whereProductVisible()))
    .orderBy(asc(releaseAt), asc(id))
    .limit(limit);
  return rows.flatMap((row) => {
    if (row.releaseAt === null || (row.status !== 'scheduled' && row.status !== 'published')) return [];
    const day = toWallClock(row.releaseAt, timeZone).slice(0, DAY);
    return [{ ...row, status: row.status, releaseAt: row.releaseAt, day }];
  });
}
