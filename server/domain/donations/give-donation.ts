import { and, eq } from 'drizzle-orm';
import { type CheckoutTerms, checkouts } from '~/db/schema/checkouts';
import { donations } from '~/db/schema/donations';
import { donationPath } from '../../base/account-paths';
import { AppError } from '../../base/errors';
import { type Currency, toDecimal } from '../../base/money';
import { SUGGESTED_DONATIONS } from '../../limits/donations';
import type { Ctx } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { type OpenedCheckout, openCheckout } from '../billing/checkout/checkouts';
import { syncCheckout } from '../billing/provider-sync/sync-checkout';
import type { CreatorRow } from '../creators/queries';
import { type CreatorView, toCreatorView } from '../creators/views';
import { currencyChanged, emailRequired } from './errors';
import {
  currencyOfDonations,
  findAcceptingCreator,
  listThanks,
  lookupGoal,
  lookupSettings,
  type WallOfThanks,
} from './queries';
import { recordDonation } from './record-donation';
import type { Goal } from './rules';
import type { FindPage, GiveDonation } from './schema';

/** `isPaid`: false until the payment provider has confirmed the payment. */
export type GivenDonation = { amountMinor: number; currency: Currency; every: 'month' | null; isPaid: boolean };

export type DonationPage = WallOfThanks & {
  creator: CreatorView;
  /** The creator's text about the use of donations. */
  text: string;
  currency: Currency;
  /** Amounts in minor units. */
  suggestions: readonly number[];
  goal: Goal | null;
  /** The current user; null for a visitor, who gives an email address. */
  donor: { name: string; email: string } | null;
  /** The donation that the visitor has just given. */
  given: (GivenDonation & { thankYouText: string }) | null;
};

/** The page for donations to a creator. @throws creator.not_found, donation.not_accepted */
export async function donationPage(ctx: Ctx, { creatorId, checkout }: FindPage): Promise<DonationPage> {
  const creator = await findAcceptingCreator(ctx, creatorId);
  // comes first, because it may record the payment that the goal then includes
  const given = checkout ? await lookupGiven(ctx, { creatorId, checkout }) : null;
  const settings = await lookupSettings(ctx, creatorId);
  const [currency, goal, thanks, donor] = await Promise.all([
    currencyOfDonations(ctx, creator, settings),
    lookupGoal(ctx, settings),
    listThanks(ctx, settings),
    currentDonor(ctx),
  ]);
  return {
    creator: toCreatorView(ctx, creator),
    text: creator.donationText ?? '',
    currency,
    suggestions: SUGGESTED_DONATIONS,
    goal,
    ...thanks,
    donor,
    given: given && { ...given, thankYouText: settings?.thankYouText ?? '' },
  };
}

async function currentDonor(ctx: Ctx): Promise<DonationPage['donor']> {
  if (ctx.actor.type !== 'user') return null;
  const { name, email } = await findUser(ctx, ctx.actor.userId);
  return { name, email };
}

type Given = { creatorId: number; checkout: string };

/**
 * The checkout's unguessable id proves that the visitor has opened it; the answer contains no donor data. Donors come
 * back before the webhook arrives, so an open checkout is synced first.
 */
async function lookupGiven(ctx: Ctx, given: Given): Promise<GivenDonation | null> {
  const opened = await lookupDonationCheckout(ctx, given);
  if (opened?.status === 'open' && opened.providerId) {
    const page = opened.providerId;
    await tryQuietly(ctx, () => syncCheckout(ctx, page));
  }
  const row = opened?.status === 'open' ? await lookupDonationCheckout(ctx, given) : opened;
  if (!row || row.status === 'closed') return null;
  if (row.status === 'settled') await tryQuietly(ctx, () => recordOnce(ctx, given));
  const { priceMinor, currency, every } = row.terms;
  return { amountMinor: priceMinor, currency, every: every ? 'month' : null, isPaid: row.status === 'settled' };
}

async function lookupDonationCheckout({ db }: Ctx, { creatorId, checkout }: Given) {
  const isIt = and(eq(checkouts.id, checkout), eq(checkouts.creatorId, creatorId), eq(checkouts.purpose, 'donation'));
  const { terms, status, providerId } = checkouts;
  const [row] = await db.select({ terms, status, providerId }).from(checkouts).where(isIt);
  return row ?? null;
}

/** Does the job's work early, so that the donor's own entry is on the wall of this answer. */
async function recordOnce(ctx: Ctx, { checkout: checkoutId }: Given): Promise<void> {
  const isRecorded = (await ctx.db.$count(donations, eq(donations.checkoutId, checkoutId))) > 0;
  if (!isRecorded) await recordDonation(ctx, { checkoutId });
}

/** Errors are ignored, because the webhook and the job will follow. */
async function tryQuietly(ctx: Ctx, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.log.info({ err: error }, 'donation not recorded yet');
  }
}

/**
 * Opens the payment page of a donation. The same donor, creator and donation get the same page again, for example after
 * a double click. @param browserHash of a visitor: SHA-256 of a secret in their browser
 * @throws creator.not_found, donation.not_accepted, donation.currency_changed, the errors of the payments port
 */
export async function giveDonation(ctx: Ctx, input: GiveDonation, browserHash: string): Promise<OpenedCheckout> {
  const creator = await findAcceptingCreator(ctx, input.creatorId);
  const currency = await currencyOfDonations(ctx, creator, await lookupSettings(ctx, creator.id));
  if (input.currency !== currency) throw currencyChanged();
  const page = ctx.urls.app(`/${ctx.language}${donationPath(creator.id)}`);
  return openCheckout(ctx, {
    purpose: 'donation',
    buyer: buyerOf(ctx, input, browserHash),
    creatorId: creator.id,
    terms: termsOf(ctx, creator, input),
    paths: { success: page, cancel: `${page}?amount=${toDecimal(input.amount)}&every=${input.every}` },
  });
}

function buyerOf({ actor }: Ctx, { email }: GiveDonation, browserHash: string) {
  if (actor.type === 'user') return { userId: actor.userId };
  if (!email) throw emailRequired();
  return { email, browserHash };
}

function termsOf(ctx: Ctx, creator: CreatorRow, input: GiveDonation): CheckoutTerms {
  const { amount, currency, every, name, message, isAnonymous, saveCard } = input;
  return {
    name: ctx.translate('mail:donation.name', { creator: creator.name }),
    priceMinor: amount,
    currency,
    every: every === 'month' ? 'month' : null,
    donation: { name, message, isAnonymous },
    ...(saveCard && every === 'once' && { savesCard: true }),
  };
}
