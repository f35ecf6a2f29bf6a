import { and, asc, count, countDistinct, eq, gt, isNotNull, isNull, sql, sum } from 'drizzle-orm';
import { affiliateDays, affiliateLinks, affiliateShares, affiliates, referrals } from '~/db/schema/affiliates';
import type { Currency } from '../../base/money';
import { AFFILIATE_LIMITS } from '../../limits/affiliates';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';

/** In minor units. `pendingMinor`: not yet counted for payouts; `bookedMinor`: counted, or already paid out. */
export type BroughtMoney = { currency: Currency; pendingMinor: number; bookedMinor: number };
/** `visits`: browsers, once a day. `plans`: creators who have paid for a plan. */
export type BroughtFigures = { visits: number; signUps: number; plans: number; money: BroughtMoney[] };
export type AffiliateLink = BroughtFigures & { id: number; name: string; code: string; url: string };

/** `links`: null before the creator has joined. `refused`: accounts that bring nothing. */
export type AffiliatePage = {
  links: AffiliateLink[] | null;
  total: BroughtFigures;
  refused: number;
  canAdd: boolean;
  /** Whether plans can be paid for on this installation. */
  takesPayments: boolean;
};

/** The links of the creator that the user works for, and what each has brought. Accounts stay unnamed. */
export async function affiliatePage(ctx: Ctx): Promise<AffiliatePage> {
  const { id: creatorId } = authorize(ctx, 'creator.manageAffiliates', currentCreator(ctx));
  const [isAffiliate, rows, visits, accounts, plans, shares] = await Promise.all([
    ctx.db.$count(affiliates, eq(affiliates.creatorId, creatorId)),
    listLinks(ctx, creatorId),
    sumVisits(ctx, creatorId),
    countAccounts(ctx, creatorId),
    countPlans(ctx, creatorId),
    sumShares(ctx, creatorId),
  ]);
  const links = rows.map(({ id, name, code }) => {
    const ofLink = accounts.find((row) => row.linkId === id);
    const money = shares.filter((row) => row.linkId === id);
    return {
      ...{ id, name, code: code ?? '', url: ctx.urls.app(`/?ref=${code}`) },
      visits: visits.find((row) => row.linkId === id)?.visits ?? 0,
      signUps: ofLink?.signUps ?? 0,
      plans: plans.find((row) => row.linkId === id)?.plans ?? 0,
      money: money.map(moneyOf),
    };
  });
  return {
    links: isAffiliate ? links : null,
    total: totalOf(links),
    refused: accounts.reduce((all, row) => all + row.refused, 0),
    canAdd: links.length < AFFILIATE_LIMITS.links,
    takesPayments: ctx.settings.takesPayments,
  };
}

type Db = Pick<Ctx, 'db'>;

const ofCreator = (creatorId: number) => and(eq(affiliateLinks.creatorId, creatorId), isNotNull(affiliateLinks.code));

const listLinks = ({ db }: Db, creatorId: number) =>
  db
    .select({ id: affiliateLinks.id, name: affiliateLinks.name, code: affiliateLinks.code })
    .from(affiliateLinks)
    .where(ofCreator(creatorId))
    .orderBy(asc(affiliateLinks.id))
    .limit(AFFILIATE_LIMITS.links);

const sumVisits = ({ db }: Db, creatorId: number) =>
  db
    .select({ linkId: affiliateDays.linkId, visits: sum(affiliateDays.visits).mapWith(Number) })
    .from(affiliateDays)
    .innerJoin(affiliateLinks, eq(affiliateLinks.id, affiliateDays.linkId))
    .where(ofCreator(creatorId))
    .groupBy(affiliateDays.linkId)
    .orderBy(affiliateDays.linkId);

const countAccounts = ({ db }: Db, creatorId: number) =>
  db
    .select({
      linkId: referrals.linkId,
      signUps: sql<number>`count(*) filter (where ${isNull(referrals.refusedFor)})`.mapWith(Number),
      refused: count(referrals.refusedFor),
    })
    .from(referrals)
    .innerJoin(affiliateLinks, eq(affiliateLinks.id, referrals.linkId))
    .where(ofCreator(creatorId))
    .groupBy(referrals.linkId)
    .orderBy(referrals.linkId);

/** Creators once each, in whatever currencies they have paid; none whose payments were all returned. */
const countPlans = ({ db }: Db, creatorId: number) =>
  db
    .select({ linkId: referrals.linkId, plans: countDistinct(affiliateShares.referralId) })
    .from(affiliateShares)
    .innerJoin(referrals, eq(referrals.id, affiliateShares.referralId))
    .innerJoin(affiliateLinks, eq(affiliateLinks.id, referrals.linkId))
    .where(and(ofCreator(creatorId), gt(affiliateShares.amountMinor, affiliateShares.returnedMinor)))
    .groupBy(referrals.linkId)
    .orderBy(referrals.linkId);

function sumShares({ db, now }: Pick<Ctx, 'db' | 'now'>, creatorId: number) {
  const left = sql`${affiliateShares.amountMinor} - ${affiliateShares.returnedMinor}`;
  const isPending = sql`${affiliateShares.availableAt} > ${now().toISOString()}::timestamptz`;
  return db
    .select({
      linkId: referrals.linkId,
      currency: affiliateShares.currency,
      pendingMinor: sql<number>`coalesce(sum(${left}) filter (where ${isPending}), 0)`.mapWith(Number),
      bookedMinor: sql<number>`coalesce(sum(${left}) filter (where not ${isPending}), 0)`.mapWith(Number),
    })
    .from(affiliateShares)
    .innerJoin(referrals, eq(referrals.id, affiliateShares.referralId))
    .innerJoin(affiliateLinks, eq(affiliateLinks.id, referrals.linkId))
    .where(ofCreator(creatorId))
    .groupBy(referrals.linkId, affiliateShares.currency)
    .orderBy(referrals.linkId, affiliateShares.currency);
}

const moneyOf = (row: { currency: string; pendingMinor: number; bookedMinor: number }): BroughtMoney => ({
  currency: row.currency as Currency,
  pendingMinor: row.pendingMinor,
  bookedMinor: row.bookedMinor,
});

function totalOf(links: BroughtFigures[]): BroughtFigures {
  const sumOf = (figure: 'visits' | 'signUps' | 'plans') => links.reduce((all, link) => all + link[figure], 0);
  const money = new Map<Currency, BroughtMoney>();
  for (const { currency, pendingMinor, bookedMinor } of links.flatMap((link) => link.money)) {
    const before = money.get(currency) ?? { currency, pendingMinor: 0, bookedMinor: 0 };
    const both = { pendingMinor: before.pendingMinor + pendingMinor, bookedMinor: before.bookedMinor + bookedMinor };
    money.set(currency, { currency, ...both });
  }
  return { visits: sumOf('visits'), signUps: sumOf('signUps'), plans: sumOf('plans'), money: [...money.values()] };
}
