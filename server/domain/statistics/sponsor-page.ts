import { and, between, desc, eq, gt, isNotNull, isNull, lt, lte, ne, or, type SQL } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { listeningDays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { sponsorLinks } from '~/db/schema/statistics';
import { hashToken } from '../../auth/token-hash';
import { dayAfter, dayIn, earlier } from '../../base/time';
import { SPONSOR_LIMITS } from '../../limits/statistics';
import { whereKept, whereProductOffered } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { type CoverUrls, coverUrls } from '../media/rules';
import { breakDown } from './breakdown';
import { sponsorLinkExpired } from './errors';
import { figuresOf, type Released } from './first-hours';
import { firstDay } from './period-statistics';
import { bucketsOf, type DayRange, type Period, type Slice, topSlices } from './rules';
import type { OpenSponsorPage } from './schema';

type ReadCtx = Pick<Ctx, 'db' | 'ports' | 'now'>;

/** What a sponsor sees of a show: no money, no subscribers, no addresses. */
export type SponsorPage = {
  show: { name: string; creator: string; cover: CoverUrls; language: string };
  expiresAt: Date;
  /** The present, which the first days of an episode may not have reached the end of. */
  asOf: Date;
  period: DayRange & { zone: string };
  /** By local day, as the IAB counts them: in apps and in our own players. */
  downloads: { day: string; downloads: number }[];
  /** By UTC day; a person who listens on two days is a listener of both. */
  listeners: { day: string; listeners: number }[];
  episodes: { name: string; releasedAt: Date; first7d: number | null; first30d: number | null }[];
  countries: Slice[];
  apps: Slice[];
  devices: Slice[];
  /** The day of the first counted play. */
  since: string | null;
};

/** The figures behind a link. @throws statistics.sponsor_link_expired */
export async function openSponsorPage(ctx: Ctx, { token }: OpenSponsorPage): Promise<SponsorPage> {
  const { link, product, creator } = await findSponsorLink(ctx, token, isNull(sponsorLinks.campaignId));
  const scope = { creatorId: creator.id, productId: product.id };
  const period = latestDays(ctx.now(), creator.timeZone);
  const [since, points, listeners, breakdown, released] = await Promise.all([
    firstDay(ctx, scope),
    ctx.ports.statistics.sumBuckets(scope, { buckets: bucketsOf(period), filters: {} }),
    listenersOf(ctx, scope, period),
    breakDown(ctx, scope, { period, filters: {} }),
    namedReleases(ctx, product.id, link.namesPrivate),
  ]);
  const figures = await figuresOf(ctx, released, { since });
  const slices = (all: Slice[] | null) => topSlices(all ?? [], SPONSOR_LIMITS.slices);
  return {
    show: { name: product.name, creator: creator.name, cover: coverUrls(product.coverKey), language: product.language },
    ...{ expiresAt: link.expiresAt, asOf: ctx.now() },
    period: { from: period.from, to: period.to, zone: period.zone },
    downloads: points.map(({ at, downloads, playerDownloads }) => ({
      day: at,
      downloads: (downloads ?? 0) + (playerDownloads ?? 0),
    })),
    listeners,
    episodes: figures.map(({ name, releasedAt, first7d, first30d }) => ({ name, releasedAt, first7d, first30d })),
    ...{ countries: slices(breakdown.country), apps: slices(breakdown.app), devices: slices(breakdown.device) },
    since,
  };
}

/**
 * A link that works, for which `where` holds. A deleted show, one that was taken down, and a closed page have no figures.
 * Notes that it was used. @throws statistics.sponsor_link_expired
 */
export async function findSponsorLink(ctx: ReadCtx, token: string, where: SQL) {
  const { db, now } = ctx;
  const [found] = await db
    .select({ link: sponsorLinks, product: products, creator: creators })
    .from(sponsorLinks)
    .innerJoin(products, eq(products.id, sponsorLinks.productId))
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(
      and(
        eq(sponsorLinks.tokenHash, hashToken(token)),
        where,
        isNull(sponsorLinks.revokedAt),
        gt(sponsorLinks.expiresAt, now()),
        isNull(creators.closedAt),
        whereProductOffered(),
      ),
    );
  if (!found) throw sponsorLinkExpired();
  await noteUse(ctx, found.link);
  return found;
}

type Link = typeof sponsorLinks.$inferSelect;

/** The creator sees when a link was used last. Written once an hour at most. */
async function noteUse({ db, now }: ReadCtx, { id }: Link): Promise<void> {
  const { lastUsedAt } = sponsorLinks;
  const isOld = or(isNull(lastUsedAt), lt(lastUsedAt, earlier(now(), SPONSOR_LIMITS.useNoted)));
  await db
    .update(sponsorLinks)
    .set({ lastUsedAt: now() })
    .where(and(eq(sponsorLinks.id, id), isOld));
}

function latestDays(now: Date, zone: string): Period {
  const to = dayAfter(dayIn(now, zone), -1);
  return { from: dayAfter(to, 1 - SPONSOR_LIMITS.days), to, zone, granularity: 'day' };
}

type Scope = { creatorId: number; productId: number };

async function listenersOf({ db }: ReadCtx, { creatorId, productId }: Scope, { from, to }: DayRange) {
  const { day, listeners } = listeningDays;
  const rows = await db
    .select({ day, listeners })
    .from(listeningDays)
    .where(and(eq(listeningDays.creatorId, creatorId), eq(listeningDays.productId, productId), between(day, from, to)))
    .orderBy(day);
  const byDay = new Map(rows.map((row) => [row.day, row.listeners ?? 0]));
  const length = SPONSOR_LIMITS.days;
  return Array.from({ length }, (_, i) => dayAfter(from, i)).map((at) => ({ day: at, listeners: byDay.get(at) ?? 0 }));
}

/** The latest episodes; private ones only if the creator lets the link name them. */
async function namedReleases({ db, now }: ReadCtx, productId: number, namesPrivate: boolean): Promise<Released[]> {
  const { id, name, releaseAt, type, status } = episodes;
  const isReleased = and(eq(status, 'published'), isNotNull(releaseAt), lte(releaseAt, now()));
  const rows = await db
    .select({ id, name, releasedAt: releaseAt })
    .from(episodes)
    .where(
      and(
        eq(episodes.productId, productId),
        isReleased,
        whereKept(),
        isNull(episodes.takenDownAt),
        ne(type, 'trailer'),
        namesPrivate ? undefined : ne(type, 'private'),
      ),
    )
    .orderBy(desc(releaseAt), desc(id))
    .limit(SPONSOR_LIMITS.episodes);
  return rows.map((row) => ({ ...row, releasedAt: row.releasedAt! }));
}
