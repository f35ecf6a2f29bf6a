import { and, asc, count, desc, eq, gt, gte, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { sales, subscriptions } from '~/db/schema/billing';
import { creators } from '~/db/schema/creators';
import { donationSettings, donations } from '~/db/schema/donations';
import { containsWords } from '~/db/search';
import type { Currency, Money } from '../../base/money';
import type { Page } from '../../base/paging';
import { WALL_LIMITS } from '../../limits/donations';
import type { Ctx } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { type CreatorRow, findCreator } from '../creators/queries';
import { takesDonations } from '../creators/rules';
import { donationNotFound, notAccepted } from './errors';
import { type DonationState, type Goal, goalOf, shownName, stateOf } from './rules';
import type { FindDonations } from './schema';

export type DonationRow = typeof donations.$inferSelect;
export type SettingsRow = typeof donationSettings.$inferSelect;
type Db = Pick<Ctx, 'db'>;

/**
 * @throws creator.not_found, also if the page is closed; donation.not_accepted if donations are switched off, or the
 * installation takes no payments
 */
export async function findAcceptingCreator(ctx: Ctx, creatorId: number): Promise<CreatorRow> {
  const creator = await findCreator(ctx, creatorId);
  if (!takesDonations(creator, ctx.settings)) throw notAccepted();
  return creator;
}

export async function lookupSettings({ db }: Db, creatorId: number): Promise<SettingsRow | null> {
  const [row] = await db.select().from(donationSettings).where(eq(donationSettings.creatorId, creatorId));
  return row ?? null;
}

/** A goal keeps its currency when its owner moves to a country with another currency. */
export async function currencyOfDonations(
  ctx: Ctx,
  { userId }: Pick<CreatorRow, 'userId'>,
  settings: SettingsRow | null,
): Promise<Currency> {
  return settings?.currency ?? (await findUser(ctx, userId)).currency;
}

/** All payments of a donation so far, less refunds. */
const PAID = sql<number>`(select coalesce(sum(${sales.amountMinor} - ${sales.refundedMinor}), 0)::float8
  from ${sales} where ${sales.checkoutId} = ${donations.checkoutId})`;

/** The amount donated since the goal was set; null without a goal. */
export async function lookupGoal(ctx: Db, settings: SettingsRow | null): Promise<Goal | null> {
  const { creatorId, goalMinor, goalTitle, goalSince, currency } = settings ?? {};
  if (!creatorId || !goalMinor || !goalSince || !currency) return null;
  const [row] = await ctx.db
    .select({ given: sql<number>`coalesce(sum(${sales.amountMinor} - ${sales.refundedMinor}), 0)::float8` })
    .from(sales)
    .where(
      and(
        eq(sales.creatorId, creatorId),
        eq(sales.purpose, 'donation'),
        eq(sales.currency, currency),
        gte(sales.paidAt, goalSince),
      ),
    );
  return goalOf({ title: goalTitle ?? '', goalMinor, currency }, row?.given ?? 0);
}

/** `name`: null for anonymous donors. */
export type Thanks = { id: number; name: string | null; message: string; since: Date };

/** `moreDonors`: how many are on the wall besides the listed ones. */
export type WallOfThanks = { wall: Thanks[]; moreDonors: number };

/**
 * The newest donors with a name or a message, except hidden ones and those whose payment was refunded. Others are only
 * counted, because entries without any words say nothing.
 */
export async function listThanks(
  { db }: Db,
  settings: SettingsRow | null,
  limit: number = WALL_LIMITS.page,
): Promise<WallOfThanks> {
  if (!settings?.showsWall) return { wall: [], moreDonors: 0 };
  const isOnWall = and(eq(donations.creatorId, settings.creatorId), isNull(donations.hiddenAt), sql`${PAID} > 0`);
  const hasWords = or(ne(donations.message, ''), and(ne(donations.name, ''), eq(donations.isAnonymous, false)));
  const [rows, donors] = await Promise.all([
    db.select().from(donations).where(and(isOnWall, hasWords)).orderBy(desc(donations.donatedAt)).limit(limit),
    db.$count(donations, isOnWall),
  ]);
  return {
    wall: rows.map((row) => ({ id: row.id, name: shownName(row), message: row.message, since: row.donatedAt })),
    moreDonors: donors - rows.length,
  };
}

/** A donation, as the creator and the donor see it. `paid`: all payments, less refunds. */
export type DonationView = Omit<Money, 'minor'> & {
  id: number;
  amountMinor: number;
  paidMinor: number;
  every: 'month' | null;
  state: DonationState;
  message: string;
  since: Date;
  /** Time of the next charge of a monthly donation. */
  nextAt: Date | null;
};

const COLUMNS = {
  donation: donations,
  paidMinor: PAID,
  endedAt: subscriptions.endedAt,
  endReason: subscriptions.endReason,
  pastDueSince: subscriptions.pastDueSince,
  confirmationUrl: subscriptions.confirmationUrl,
  periodEnd: subscriptions.periodEnd,
  subscription: subscriptions.providerId,
};
type FoundDonation = {
  donation: DonationRow;
  paidMinor: number;
  endedAt: Date | null;
  endReason: string | null;
  pastDueSince: Date | null;
  confirmationUrl: string | null;
  periodEnd: Date | null;
  subscription: string | null;
};

const selectDonations = ({ db }: Db) =>
  db.select(COLUMNS).from(donations).leftJoin(subscriptions, eq(subscriptions.id, donations.subscriptionId));

function toDonationView({ donation, paidMinor, periodEnd, ...subscription }: FoundDonation): DonationView {
  const { id, amountMinor, currency, every, message, donatedAt } = donation;
  const state = stateOf(every, subscription);
  const nextAt = state === 'active' ? periodEnd : null;
  return { id, amountMinor, currency, paidMinor, every, state, message, since: donatedAt, nextAt };
}

/** Fields that only the creator sees. */
export type DonorView = DonationView & { name: string; email: string; isAnonymous: boolean; isHidden: boolean };

function toDonorView(found: FoundDonation): DonorView {
  const { name, email, isAnonymous, hiddenAt } = found.donation;
  return { ...toDonationView(found), name, email, isAnonymous, isHidden: hiddenAt !== null };
}

/** A page of a creator's donations, the newest first. */
export async function listDonors(ctx: Db, input: FindDonations): Promise<Page<DonorView>> {
  const { page, pageSize } = input;
  const where = whereFound(input);
  const [rows, [counted]] = await Promise.all([
    selectDonations(ctx)
      .where(where)
      .orderBy(desc(donations.donatedAt), desc(donations.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.select({ total: count() }).from(donations).where(where),
  ]);
  return { items: rows.map(toDonorView), total: counted?.total ?? 0, page, pageSize };
}

const SEARCHED = sql`search_text(concat_ws(' ', ${donations.name}, ${donations.email}, ${donations.message}))`;

function whereFound({ creatorId, search, every }: FindDonations): SQL | undefined {
  const rhythm = every && (every === 'month' ? eq(donations.every, 'month') : isNull(donations.every));
  return and(eq(donations.creatorId, creatorId), rhythm, containsWords(SEARCHED, search || undefined));
}

/** The amounts that a creator has received from donors, and the income of running monthly donations. */
export type DonationTotals = { donations: number; receivedMinor: number; monthlyMinor: number; currency: Currency };

export async function totalsOf({ db }: Db, creatorId: number, currency: Currency): Promise<DonationTotals> {
  const isRunning = sql`${donations.every} = 'month' and ${subscriptions.endedAt} is null`;
  const [row] = await db
    .select({
      donations: count(),
      receivedMinor: sql<number>`coalesce(sum(${PAID}), 0)::float8`,
      monthlyMinor: sql<number>`coalesce(sum(${donations.amountMinor}) filter (where ${isRunning}), 0)::float8`,
    })
    .from(donations)
    .leftJoin(subscriptions, eq(subscriptions.id, donations.subscriptionId))
    .where(and(eq(donations.creatorId, creatorId), eq(donations.currency, currency)));
  return { donations: 0, receivedMinor: 0, monthlyMinor: 0, ...row, currency };
}

/** Includes ids at the payment provider, which a creator who leaves can take along. */
export type ExportedDonation = DonorView & { subscription: string | null; payments: string[] };

/** Donations with higher ids than `after`, for an export in batches. */
export async function listForExport(
  ctx: Db,
  { creatorId, after, limit }: { creatorId: number; after: number; limit: number },
): Promise<ExportedDonation[]> {
  const payments = sql<string[]>`array(select ${sales.paymentId} from ${sales}
    where ${sales.checkoutId} = ${donations.checkoutId} order by ${sales.id})`;
  const rows = await ctx.db
    .select({ ...COLUMNS, payments })
    .from(donations)
    .leftJoin(subscriptions, eq(subscriptions.id, donations.subscriptionId))
    .where(and(eq(donations.creatorId, creatorId), gt(donations.id, after)))
    .orderBy(asc(donations.id))
    .limit(limit);
  return rows.map((row) => ({ ...toDonorView(row), subscription: row.subscription, payments: row.payments }));
}

/** A donation with the creator who receives it. `confirmationUrl`: where the donor confirms the last payment. */
export type OwnDonation = DonationView & {
  creator: Pick<CreatorRow, 'id' | 'name' | 'domain' | 'avatarKey'>;
  confirmationUrl: string | null;
};

export async function listOwnDonations({ db }: Db, userId: number, limit: number): Promise<OwnDonation[]> {
  const { id, name, domain, avatarKey } = creators;
  const rows = await db
    .select({ ...COLUMNS, creator: { id, name, domain, avatarKey } })
    .from(donations)
    .innerJoin(creators, eq(creators.id, donations.creatorId))
    .leftJoin(subscriptions, eq(subscriptions.id, donations.subscriptionId))
    .where(eq(donations.userId, userId))
    .orderBy(desc(donations.donatedAt), desc(donations.id))
    .limit(limit);
  return rows.map(({ creator, ...found }) => {
    const view = toDonationView(found);
    return { ...view, creator, confirmationUrl: view.state === 'unconfirmed' ? found.confirmationUrl : null };
  });
}

/** A donation with its subscription. @throws donation.not_found */
export async function findDonationRecord(ctx: Db, id: number): Promise<FoundDonation> {
  const [row] = await selectDonations(ctx).where(eq(donations.id, id));
  if (!row) throw donationNotFound();
  return row;
}
