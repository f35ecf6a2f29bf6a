import type { AppError, ErrorParams } from '../../base/errors';
import { type Currency, currencyOf, formatMoney } from '../../base/money';
import { isDuring } from '../../base/time';
import { PRICE_LIMITS } from '../../limits/billing';
import { DONATION_LIMITS } from '../../limits/donations';
import { EXAMPLE_FIGURES } from '../../limits/earnings';
import { PLANS, type PlanCode } from '../../limits/plans';
import { PLATFORMS, type Platform } from '../../limits/platform-fees';
import type { Ctx } from '../../runtime/ctx';
import { isInEu } from '../vat/kinds';
import type { VatDecision } from '../vat/rules';
import { donationBounds, priceBounds, salePriceBounds } from './errors';
import {
  type Earnings,
  earningsOf,
  type Figures,
  monthOf,
  type PlatformFees,
  platformFees,
  vatOfPayment,
} from './rules';
import { type EarningsInput, ELSEWHERE } from './schema';

/** A country outside the European Union: its taxes are not known here. */
const NO_COUNTRY = 'ZZ';

export type EarningsView = {
  figures: Figures;
  plan: PlanCode;
  currency: Currency;
  country: string;
  /** Of what is sold; donations carry none. */
  vat: VatDecision;
  year: Earnings;
  month: Omit<Earnings, 'income'>;
  /** `leftMinor`: null if the platform does not take all of these payments. */
  platforms: (PlatformFees & { platform: Platform; leftMinor: number | null })[];
};

/** What a creator's sales leave after VAT, the commission and the plan, and what other platforms charge for the same. */
export function estimateEarnings(ctx: Ctx, input: EarningsInput): EarningsView {
  const { operator } = ctx.settings;
  const country = input.country ?? (isInEu(operator.country) ? operator.country : ELSEWHERE);
  const currency = input.currency ?? currencyOf(operator.country);
  const figures = figuresOf(input);
  const problems = problemsOf(ctx, figures, currency);
  if (problems[0]) throw Object.assign(problems[0], { others: problems.slice(1) });

  const selling = { operator, country: country === ELSEWHERE ? NO_COUNTRY : country, at: ctx.now() };
  const year = earningsOf(figures, PLANS[input.plan], selling);
  const platforms = PLATFORMS.map((platform) => {
    const fees = platformFees(platform, year.income);
    const leftMinor = fees.missing.length > 0 ? null : year.amountMinor - year.vatMinor - fees.feeMinor;
    return { platform, ...fees, leftMinor };
  });
  const charged = vatOfPayment('sales', selling);
  // for listeners at home, the decision does not say what those of other countries pay
  const isEverywhere = charged.basis === 'charged' && isDuring(operator.vatAtHome, selling.at);
  const vat: VatDecision = isEverywhere ? { ...charged, basis: 'charged_at_home' } : charged;
  return { figures, plan: input.plan, currency, country, vat, year, month: monthOf(year), platforms };
}

function figuresOf({ every, price, donation, salePrice, ...counts }: EarningsInput): Figures {
  const { subscribers, donations, sales } = counts;
  const priceMinor = price ?? EXAMPLE_FIGURES.price[every];
  return { every, subscribers, donations, sales, priceMinor, donationMinor: donation, salePriceMinor: salePrice };
}

type Bounds = { minMinor: number; maxMinor: number };

/** Amounts that shows and donations can't have. */
function problemsOf({ locale }: Ctx, figures: Figures, currency: Currency): AppError[] {
  const { every, priceMinor, donationMinor, salePriceMinor } = figures;
  const money = (minor: number) => formatMoney({ minor, currency }, locale);
  const check = (minor: number, { minMinor, maxMinor }: Bounds, problem: (params: ErrorParams) => AppError) =>
    minor < minMinor || minor > maxMinor ? [problem({ min: money(minMinor), max: money(maxMinor) })] : [];
  return [
    ...check(priceMinor, PRICE_LIMITS[every === 'month' ? 'monthly' : 'yearly'], priceBounds),
    ...check(donationMinor, DONATION_LIMITS, donationBounds),
    ...check(salePriceMinor, PRICE_LIMITS.oneTime, salePriceBounds),
  ];
}
