import { and, asc, eq, lt, ne, type SQL } from 'drizzle-orm';
import { vatNumberChecks } from '~/db/schema/vat';
import type { RegisterAnswer } from '../../adapters/vat-numbers/port';
import { AskerRejected, RegisterUnavailable } from '../../base/errors';
import { earlier } from '../../base/time';
import { VAT_LIMITS } from '../../limits/vat';
import { checkVatNumber } from '../../queue/jobs/vat';
import { type Ctx, transact } from '../../runtime/ctx';
import { type EuVatNumber, euVatNumber } from './rules';

/**
 * Checks a VAT number in the register and stores the answer. If the register does not answer, the number is stored as
 * unknown and checked again (`recheckNumbers`).
 */
export async function checkNumber(ctx: Ctx, { country, taxNumber }: { country: string; taxNumber: string }) {
  const number = euVatNumber(country, taxNumber);
  if (!number) return;
  try {
    const { isValid, name, requestId } = await askRegister(ctx, number);
    await keepAnswer(ctx, number, { status: isValid ? 'valid' : 'invalid', name, requestId, checkedAt: ctx.now() });
  } catch (error) {
    if (!(error instanceof RegisterUnavailable)) throw error;
    ctx.log.warn({ country }, 'the register of VAT numbers does not answer');
    await keepUnknown(ctx, number);
  }
}

/** Without our own number, the answer is the same, but without a proof that we asked. */
async function askRegister(ctx: Ctx, number: EuVatNumber): Promise<RegisterAnswer> {
  const { vatNumbers } = ctx.ports;
  try {
    return await vatNumbers.check(number, askerOf(ctx));
  } catch (error) {
    if (!(error instanceof AskerRejected)) throw error;
    ctx.log.error({ reason: error.message }, 'the register of VAT numbers rejects the number of the operator');
    return vatNumbers.check(number, null);
  }
}

function askerOf({ settings }: Ctx): EuVatNumber | null {
  const { country, vatNumber } = settings.operator;
  return euVatNumber(country, vatNumber);
}

type Answer = Pick<typeof vatNumberChecks.$inferInsert, 'status' | 'name' | 'requestId' | 'checkedAt'>;
const keyOf = ({ country, number }: EuVatNumber): string => country + number;

async function keepAnswer({ db, now }: Ctx, number: EuVatNumber, answer: Answer): Promise<void> {
  const values = { ...answer, updatedAt: now() };
  await db
    .insert(vatNumberChecks)
    .values({ number: keyOf(number), ...values, createdAt: now() })
    .onConflictDoUpdate({ target: vatNumberChecks.number, set: values });
}

/**
 * Keeps the register's former answer and stores only the time of the attempt, so that other numbers get their turn.
 * Numbers that can't be VAT numbers, such as numbers for income tax, are not stored.
 */
async function keepUnknown({ db, now }: Ctx, number: EuVatNumber): Promise<void> {
  const attempt = { updatedAt: now() };
  // loaded through a file of its own, because a bundle finds the names of a CommonJS package only in a static import
  const { hasVatForm } = await import('./tax-numbers');
  if (!hasVatForm(number)) {
    await db
      .update(vatNumberChecks)
      .set(attempt)
      .where(eq(vatNumberChecks.number, keyOf(number)));
    return;
  }
  await db
    .insert(vatNumberChecks)
    .values({ number: keyOf(number), status: 'unknown', createdAt: now(), ...attempt })
    .onConflictDoUpdate({ target: vatNumberChecks.number, set: attempt });
}

/**
 * Checks numbers again that the register has not answered yet, and numbers with an old answer: companies close, and
 * others get their number later.
 */
export async function recheckNumbers(ctx: Ctx): Promise<void> {
  const { recheckAfter, answerValidFor } = VAT_LIMITS;
  const { status, checkedAt, updatedAt } = vatNumberChecks;
  const isUntried = lt(updatedAt, earlier(ctx.now(), recheckAfter));
  const isOld = and(ne(status, 'unknown'), lt(checkedAt, earlier(ctx.now(), answerValidFor)));
  const unknown = await listNumbers(ctx, and(eq(status, 'unknown'), isUntried));
  const old = await listNumbers(ctx, and(isOld, isUntried));
  await transact(ctx, async (tx) => {
    await tx.jobs.enqueueAll(checkVatNumber, [...unknown, ...old].map(toPayload));
  });
}

const listNumbers = ({ db }: Ctx, which: SQL | undefined) =>
  db
    .select({ number: vatNumberChecks.number })
    .from(vatNumberChecks)
    .where(which)
    .orderBy(asc(vatNumberChecks.updatedAt))
    .limit(VAT_LIMITS.recheckedAtOnce);

const toPayload = ({ number }: { number: string }) => {
  const prefix = number.slice(0, 2);
  return { country: prefix === 'EL' ? 'GR' : prefix, taxNumber: number.slice(2) };
};

export type NumberStatus = typeof vatNumberChecks.$inferSelect.status;

/**
 * The register's last answer about a number; null if it was never checked, or belongs to a country outside the European
 * Union.
 */
export async function numberStatus(ctx: Pick<Ctx, 'db'>, country: string | null, taxNumber: string | null) {
  const number = euVatNumber(country, taxNumber);
  if (!number) return null;
  const [row] = await ctx.db
    .select()
    .from(vatNumberChecks)
    .where(eq(vatNumberChecks.number, keyOf(number)));
  return row?.status ?? null;
}

/** Whether the buyer is a business of that country. A number that was not checked yet counts by its form. */
export async function isBusiness(ctx: Pick<Ctx, 'db'>, country: string | null, taxNumber: string | null) {
  const status = await numberStatus(ctx, country, taxNumber);
  return status !== null && status !== 'invalid';
}
