import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { type PaperFacts, payoutPapers } from '~/db/schema/payouts';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { billingDetailsOf } from '../accounts/settings/billing-details';
import { paperNotFound } from './errors';
import { findPayout, type PayoutRow } from './queries';
import { paperNumber } from './rules';
import type { FindPaper } from './schema';
import { selfBillingParts } from './self-billing';

type PaperKind = (typeof payoutPapers.$inferSelect)['kind'];
export type PaperName = { kind: PaperKind; number: string };

/**
 * Writes a paper with the next number of the creator's series (docs/decisions/0239). The creator's row must be locked,
 * so that no number is missing. A credit note repeats the content of its invoice.
 */
export async function issuePaper(tx: TxCtx, payout: PayoutRow, kind: PaperKind): Promise<void> {
  const { id: payoutId, creatorId } = payout;
  const last = sql<number>`coalesce(max(${payoutPapers.number}), 0)`.mapWith(Number);
  const [row] = await tx.db.select({ last }).from(payoutPapers).where(eq(payoutPapers.creatorId, creatorId));
  const facts = kind === 'invoice' ? await invoiceFacts(tx, payout) : await lookupFacts(tx, payoutId);
  if (!facts) return;
  const number = (row?.last ?? 0) + 1;
  await tx.db.insert(payoutPapers).values({ creatorId, payoutId, kind, number, issuedAt: tx.now(), facts });
}

async function invoiceFacts(tx: TxCtx, { creatorId, currency, amountMinor, holder }: PayoutRow): Promise<PaperFacts> {
  const [creator] = await tx.db.select().from(creators).where(eq(creators.id, creatorId));
  const user = await findUser(tx, creator!.userId);
  const { billingName, street, postalCode, city, taxNumber } = await billingDetailsOf(tx, user.id);
  const { operator } = tx.settings;
  const { country } = user;
  const { name, address, vatNumber } = operator;
  return {
    seller: { name: billingName || holder, street, postalCode, city, country, taxNumber },
    buyer: { name, address, country: operator.country, vatNumber },
    currency,
    ...selfBillingParts(amountMinor, { country, taxNumber, operator, at: tx.now() }),
  };
}

async function lookupFacts(tx: TxCtx, payoutId: number): Promise<PaperFacts | null> {
  const isInvoice = and(eq(payoutPapers.payoutId, payoutId), eq(payoutPapers.kind, 'invoice'));
  const [row] = await tx.db.select({ facts: payoutPapers.facts }).from(payoutPapers).where(isInvoice);
  return row?.facts ?? null;
}

/** The papers of the given payouts, by payout. */
export async function papersOf({ db }: Pick<Ctx, 'db'>, payoutIds: number[]): Promise<Map<number, PaperName[]>> {
  const found = new Map<number, PaperName[]>();
  if (payoutIds.length === 0) return found;
  const rows = await db
    .select()
    .from(payoutPapers)
    .where(inArray(payoutPapers.payoutId, payoutIds))
    .orderBy(asc(payoutPapers.number));
  for (const row of rows) {
    const paper = { kind: row.kind, number: paperNumber(row) };
    found.set(row.payoutId, [...(found.get(row.payoutId) ?? []), paper]);
  }
  return found;
}

/** `cancels`: the number of the invoice that a credit note cancels. */
export type Paper = PaperFacts & PaperName & { issuedAt: Date; paidAt: Date | null; cancels: string | null };

/** @throws payout.not_found, also for another creator's payout; payout.paper_not_found */
export async function findPaper(ctx: Ctx, { id, kind }: FindPaper): Promise<Paper> {
  const creator = authorize(ctx, 'creator.readPayouts', currentCreator(ctx));
  const payout = await findPayout(ctx, id, creator.id);
  const rows = await ctx.db.select().from(payoutPapers).where(eq(payoutPapers.payoutId, payout.id));
  const row = rows.find((paper) => paper.kind === kind);
  if (!row) throw paperNotFound();
  const invoice = rows.find((paper) => paper.kind === 'invoice');
  const cancels = kind === 'credit_note' && invoice ? paperNumber(invoice) : null;
  return { ...row.facts, kind, number: paperNumber(row), issuedAt: row.issuedAt, paidAt: payout.paidAt, cancels };
}
