import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { reconciliationDifferences, reconciliations } from '~/db/schema/reconciliation';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { AppError } from '../../../base/errors';
import { earlier } from '../../../base/time';
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
  await healDifferences(ctx, await findDifferences(ctx));
  const found = await findDifferences(ctx);
  const differences = await transact(ctx, async (tx) => {
    const fresh = await keepDifferences(tx, found);
    const open = await tx.db.$count(reconciliationDifferences, isNull(reconciliationDifferences.resolvedAt));
    const finished = { finishedAt: tx.now(), entries, differences: open };
    await tx.db.update(reconciliations).set(finished).where(eq(reconciliations.id, run!.id));
    if (fresh > 0) await tellOperator(tx, { fresh, open });
    return open;
  });
  return { entries, differences };
}

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

async function findDifferences({ db, now }: Ctx): Promise<Compared[]> {
  const { window, edge, settles, written } = RECONCILIATION_LIMITS;
  const since = earlier(now(), window);
  const [from, to] = [new Date(since.getTime() + edge), earlier(now(), settles)];
  const rows = await db.execute<CompareRow>(sql`
    select * from (${comparedBooks(since)}) compared
    where ours is distinct from theirs and coalesce(ours, 0) <> coalesce(theirs, 0)
      and at between ${from.toISOString()}::timestamptz and ${to.toISOString()}::timestamptz
    order by at, key limit ${written}`);
  return rows.map(toCompared);
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

/** Asks the provider for entries that the ledger lacks, as if an event had arrived. */
async function healDifferences(ctx: Ctx, differences: Compared[]): Promise<void> {
  for (const { key } of differences.slice(0, RECONCILIATION_LIMITS.healed)) {
    await healOne(ctx, key).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      ctx.log.warn({ err: error, key }, 'a difference of the books could not be healed');
    });
  }
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
  const now = tx.now();
  const known = await tx.db
    .select()
    .from(reconciliationDifferences)
    .where(isNull(reconciliationDifferences.resolvedAt));
  const idOf = ({ key, currency }: Pick<Compared, 'key' | 'currency'>) => `${key} ${currency}`;
  const still = new Set(found.map(idOf));
  const gone = known.filter((row) => !still.has(idOf(row))).map(({ key }) => key);
  if (gone.length > 0)
    await tx.db
      .update(reconciliationDifferences)
      .set({ resolvedAt: now })
      .where(and(inArray(reconciliationDifferences.key, gone), isNull(reconciliationDifferences.resolvedAt)));
  if (found.length > 0)
    await tx.db
      .insert(reconciliationDifferences)
      .values(found.map((row) => ({ ...row, firstSeenAt: now })))
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
