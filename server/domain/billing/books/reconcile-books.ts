import { and, eq, gt, inArray, isNull, min, sql } from 'drizzle-orm';
import { reconciliationDifferences, reconciliations } from '~/db/schema/reconciliation';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { AppError } from '../../../base/errors';
import { DAYS, earlier, later } from '../../../base/time';
import { RECONCILIATION_LIMITS } from '../../../limits/reconciliation';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { queueEmail } from '../../notifications/outbox';
import { syncDispute } from '../provider-sync/disputes';
import { syncPayment } from '../provider-sync/sync-checkout';
import { syncRefunds } from '../refunds/refunds';
import { syncInvoice } from '../subscriptions/subscriptions';
import { copyBooks } from './books';
import { comparedBooks } from './compare-books';

/**
 * Compares the ledger with the provider's books for each object, and thereby for each creator, show and month. Entries
 * that the ledger lacks are requested once more, as if their event had been lost; remaining differences are stored, and
 * operators get an email about new ones. Repeating it is harmless.
 */
export async function reconcileBooks(ctx: Ctx): Promise<{ entries: number; differences: number }> {
  const [run] = await ctx.db.insert(reconciliations).values({ startedAt: ctx.now() }).returning();
  const entries = await copyBooks(ctx);
  const since = await firstCompared(ctx);
  await healDifferences(ctx, run!.id, since);
  const found = await findDifferences(ctx, since, RECONCILIATION_LIMITS.written);
  const differences = await transact(ctx, async (tx) => {
    await resolveAgreed(tx, since);
    const fresh = await keepDifferences(tx, found);
    const open = await tx.db.$count(reconciliationDifferences, isOpen);
    const finished = { finishedAt: tx.now(), entries, differences: open };
    await tx.db.update(reconciliations).set(finished).where(eq(reconciliations.id, run!.id));
    if (fresh > 0) await tellOperator(tx, { fresh, open });
    return open;
  });
  return { entries, differences };
}

const isOpen = isNull(reconciliationDifferences.resolvedAt);

/** Runs on a schedule: an installation without payments has nothing to compare. */
export async function reconcileNightly(ctx: Ctx): Promise<void> {
  try {
    await reconcileBooks(ctx);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'payments.not_set_up')) throw error;
  }
}

/** The change of our balance by one object: in the ledger, and in the provider's books. */
type Compared = {
  key: string;
  currency: string;
  creatorId: number | null;
  productId: number | null;
  oursMinor: number | null;
  theirsMinor: number | null;
  at: Date;
};

type CompareRow = {
  key: string;
  currency: string;
  creator_id: string | null;
  product_id: string | null;
  ours: string | null;
  theirs: string | null;
  at: string;
};

/** The books are compared for a period, and since the oldest open difference. */
async function firstCompared({ db, now }: Ctx): Promise<Date> {
  const { window, edge, oldest } = RECONCILIATION_LIMITS;
  const [row] = await db
    .select({ at: min(reconciliationDifferences.at) })
    .from(reconciliationDifferences)
    .where(and(isOpen, gt(reconciliationDifferences.at, earlier(now(), oldest))));
  const usual = earlier(now(), window);
  return row?.at ? new Date(Math.min(usual.getTime(), row.at.getTime() - edge)) : usual;
}

/** New and changed differences first; then open ones at random, so those that can't be healed do not delay others. */
async function findDifferences(ctx: Ctx, since: Date, limit: number): Promise<Compared[]> {
  const { edge, settles } = RECONCILIATION_LIMITS;
  const [from, to] = [later(since, edge), earlier(ctx.now(), settles)];
  const rows = await ctx.db.execute<CompareRow>(sql`
    select compared.* from (${comparedBooks(ctx, since)}) compared
    left join reconciliation_differences d
      on d.key = compared.key and d.currency = compared.currency and d.resolved_at is null
        and d.ours_minor is not distinct from compared.ours and d.theirs_minor is not distinct from compared.theirs
    where coalesce(ours, 0) <> coalesce(theirs, 0)
      and compared.at between ${from.toISOString()}::timestamptz and ${to.toISOString()}::timestamptz
    order by case when d.key is null then extract(epoch from compared.at) end nulls last, random() limit ${limit}`);
  return rows.map(toCompared);
}

/** A difference stays open until it was compared and both books agree: what was not compared may still differ. */
async function resolveAgreed(tx: TxCtx, since: Date): Promise<void> {
  await tx.db.execute(sql`
    update reconciliation_differences d set resolved_at = ${tx.now().toISOString()}::timestamptz
    from (${comparedBooks(tx, since)}) compared
    where d.resolved_at is null and d.key = compared.key and d.currency = compared.currency
      and coalesce(compared.ours, 0) = coalesce(compared.theirs, 0)`);
}

const numberOrNull = (text: string | null) => (text === null ? null : Number(text));

const toCompared = (row: CompareRow): Compared => ({
  key: row.key,
  currency: row.currency,
  creatorId: numberOrNull(row.creator_id),
  productId: numberOrNull(row.product_id),
  oursMinor: numberOrNull(row.ours),
  theirsMinor: numberOrNull(row.theirs),
  at: new Date(row.at),
});

/**
 * Asks the provider for entries that the ledger lacks, as if an event had arrived. They are counted first: a run that is
 * killed has also asked.
 */
async function healDifferences(ctx: Ctx, run: number, since: Date): Promise<void> {
  const left = await leftToHeal(ctx);
  const found = left > 0 ? await findDifferences(ctx, since, left) : [];
  const differences = found.filter(({ key }) => /^(?:sale|fee|refund|dispute)/.test(key));
  await ctx.db.update(reconciliations).set({ healed: differences.length }).where(eq(reconciliations.id, run));
  for (const { key } of differences) {
    await healOne(ctx, key).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      ctx.log.warn({ err: error, key }, 'a difference of the books could not be healed');
    });
  }
}

/** Operators may start further runs. */
async function leftToHeal({ db, now }: Ctx): Promise<number> {
  const { inRun, inDay } = RECONCILIATION_LIMITS.healed;
  const [row] = await db
    .select({ healed: sql<number>`coalesce(sum(${reconciliations.healed}), 0)`.mapWith(Number) })
    .from(reconciliations)
    .where(gt(reconciliations.startedAt, earlier(now(), DAYS(1))));
  return Math.min(inRun, inDay - row!.healed);
}

async function healOne(ctx: Ctx, key: string): Promise<void> {
  const [what, id = ''] = key.split('/');
  const { payments } = ctx.ports;
  if (what === 'sale' || what === 'fee') {
    const { invoice } = await payments.fetch.payment(id);
    return invoice === null ? syncPayment(ctx, id) : syncInvoice(ctx, invoice);
  }
  if (what === 'refund' || what === 'refund-failed') {
    const { payment } = await payments.fetch.refund(id);
    return payment === null ? undefined : syncRefunds(ctx, payment);
  }
  if (what?.startsWith('dispute')) return syncDispute(ctx, id);
}

/** @returns the number of new and reopened differences */
async function keepDifferences(tx: TxCtx, found: Compared[]): Promise<number> {
  if (found.length === 0) return 0;
  const idOf = ({ key, currency }: Pick<Compared, 'key' | 'currency'>) => `${key} ${currency}`;
  const keys = found.map(({ key }) => key);
  const known = await tx.db
    .select()
    .from(reconciliationDifferences)
    .where(and(isOpen, inArray(reconciliationDifferences.key, keys)));
  await tx.db
    .insert(reconciliationDifferences)
    .values(found.map((row) => ({ ...row, firstSeenAt: tx.now() })))
    .onConflictDoUpdate({
      target: [reconciliationDifferences.key, reconciliationDifferences.currency],
      set: { oursMinor: sql`excluded.ours_minor`, theirsMinor: sql`excluded.theirs_minor`, resolvedAt: null },
    });
  const before = new Set(known.map(idOf));
  return found.filter((row) => !before.has(idOf(row))).length;
}

async function tellOperator(tx: TxCtx, { fresh, open }: { fresh: number; open: number }): Promise<void> {
  const { email, name } = tx.settings.operator;
  const t = (key: string, params?: Record<string, string | number>) => tx.translate(key, params, DEFAULT_LANGUAGE);
  await queueEmail(tx, {
    to: email,
    userId: null,
    topic: 'books_differ',
    language: DEFAULT_LANGUAGE,
    subject: t('mail:books_differ.subject', { count: fresh }),
    content: {
      heading: t('mail:books_differ.heading', { count: fresh }),
      paragraphs: [t('mail:books_differ.why', { name, open }), t('mail:books_differ.how')],
      footer: t('mail:books_differ.footer'),
    },
  });
}
