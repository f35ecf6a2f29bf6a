import { eq } from 'drizzle-orm';
import { billingDetails as table } from '~/db/schema/accounts';
import { BILLING_PATH } from '../../../base/account-paths';
import { languagePrefix } from '../../../base/public-paths';
import { requireUser } from '../../../policy/actor';
import { checkVatNumber } from '../../../queue/jobs/vat';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { type NumberStatus, numberStatus } from '../../vat/check-tax-number';
import { euVatNumber } from '../../vat/rules';
import { queueAccountEmail } from '../base/email-links';
import { countryRequired, ibanInvalid, ibanOutsideSepa, taxNumberInvalid } from '../base/errors';
import { findUser, type UserRow } from '../base/queries';
import type { UpdateBillingDetails, UpdatePayoutAddress } from '../base/schema';
import { requireProof } from '../second-factors/second-factor';

const NOTHING = {
  iban: null,
  paypalEmail: null,
  taxNumber: null,
  billingName: null,
  street: null,
  postalCode: null,
  city: null,
};

/** Payout address and invoice details; null where unknown. The country is that of the profile. */
export type BillingDetails = Record<keyof typeof NOTHING, string | null>;
/** `taxNumberStatus`: the status in the European Union's register of VAT numbers; null without a VAT number. */
export type CheckedDetails = BillingDetails & { taxNumberStatus: NumberStatus | null };

export async function billingDetails(ctx: Ctx): Promise<CheckedDetails> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  const details = await billingDetailsOf(ctx, user.id);
  return { ...details, taxNumberStatus: await numberStatus(ctx, user.country, details.taxNumber) };
}

/** An owner's details, for payouts and payout documents. */
export async function billingDetailsOf(ctx: Pick<Ctx, 'db'>, userId: number): Promise<BillingDetails> {
  const [row] = await ctx.db.select().from(table).where(eq(table.userId, userId));
  if (!row) return NOTHING;
  const { iban, paypalEmail, taxNumber, billingName, street, postalCode, city } = row;
  return { iban, paypalEmail, taxNumber, billingName, street, postalCode, city };
}

/**
 * Changes the payout address, which needs the second factor, or the password if there is no second factor, and tells
 * the owner. Blank fields are removed.
 * @throws account.second_factor_required, account.wrong_code, account.wrong_password, account.password_missing,
 * account.iban_invalid, account.iban_outside_sepa
 */
export async function updatePayoutAddress(ctx: Ctx, input: UpdatePayoutAddress): Promise<void> {
  const user = await requireProof(ctx, input);
  const fresh = { iban: await toIban(input.iban), paypalEmail: input.paypalEmail || null };
  const { iban, paypalEmail } = await billingDetails(ctx);
  if (fresh.iban === iban && fresh.paypalEmail === paypalEmail) return;
  await transact(ctx, async (tx) => {
    await storeDetails(tx, user.id, fresh);
    const prefix = user.language ? languagePrefix(user.language) : '';
    await queueAccountEmail(tx, user, { topic: 'payout_changed', url: tx.urls.app(prefix + BILLING_PATH) });
  });
}

/**
 * Changes the invoice details. Blank fields are removed. @throws account.tax_number_invalid, account.country_required
 */
export async function updateBillingDetails(ctx: Ctx, input: UpdateBillingDetails): Promise<void> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  const taxNumber = await toTaxNumber(user, input.taxNumber);
  const { billingName, street, postalCode, city } = input;
  const lines = { billingName, street, postalCode, city };
  const filled = Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, line || null]));
  await transact(ctx, async (tx) => {
    await storeDetails(tx, user.id, { ...filled, taxNumber });
    if (user.country && taxNumber && euVatNumber(user.country, taxNumber))
      await tx.jobs.enqueue(checkVatNumber, { country: user.country, taxNumber });
  });
}

async function storeDetails(tx: TxCtx, userId: number, change: Partial<BillingDetails>): Promise<void> {
  const fresh = { ...change, updatedAt: tx.now() };
  await tx.db
    .insert(table)
    .values({ userId, ...fresh })
    .onConflictDoUpdate({ target: table.userId, set: fresh });
}

/** An IBAN without its spaces, in capitals; null if it is blank. @throws account.iban_invalid, account.iban_outside_sepa */
async function toIban(text: string): Promise<string | null> {
  if (text === '') return null;
  // loaded here, because few requests need it
  const { electronicFormatIBAN, isSEPACountry, isValidIBAN } = await import('ibantools');
  const iban = electronicFormatIBAN(text);
  if (!iban || !isValidIBAN(iban)) throw ibanInvalid();
  if (!isSEPACountry(iban.slice(0, 2))) throw ibanOutsideSepa();
  return iban;
}

/** A VAT or tax number of the user's country, as registers write it; null if it is blank. */
async function toTaxNumber({ country }: UserRow, text: string): Promise<string | null> {
  if (text === '') return null;
  if (country === null) throw countryRequired();
  // loaded through a file of its own, because a bundle finds the names of a CommonJS package only in a static import
  const { parseTaxNumber } = await import('../../vat/tax-numbers');
  const number = parseTaxNumber(country, text);
  if (number === null) throw taxNumberInvalid();
  return number;
}
