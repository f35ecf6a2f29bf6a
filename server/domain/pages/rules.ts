import type { Plan } from '../../limits/plans';
import {
  PAYMENT_KINDS,
  type PaymentFees,
  type PaymentKind,
  type Platform,
  type Rate,
} from '../../limits/platform-fees';
import { type Charge, type Parts, partsOf } from '../payouts/rules';
import { commissionOn } from '../plans/rules';
import { type VatDecision, type VatSeller, vatContained, vatDecision } from '../vat/rules';

/** `operator`: the operator's VAT settings. `country`: of the listeners (ISO 3166-1 alpha-2). */
export type Selling = { plan: Pick<Plan, 'commission'>; operator: VatSeller; country: string; at: Date };
type Payment = { kind: PaymentKind; amountMinor: number };

/** The VAT in a listener's payment on the operator's account, and its reason. */
export const vatOfPayment = (kind: PaymentKind, selling: Omit<Selling, 'plan'>): VatDecision =>
  vatDecision({
    ...selling,
    seller: 'operator',
    isDonation: kind === 'donations',
    isOutsideArea: false,
    isBusiness: false,
  });

/** The parts of a listener's payment on the operator's account, as the ledger enters them. */
export function partsOfPayment({ kind, amountMinor }: Payment, selling: Selling): Charge & Parts {
  const { basisPoints } = vatOfPayment(kind, selling);
  const vatMinor = vatContained(amountMinor, basisPoints);
  const commissionMinor = commissionOn(selling.plan, amountMinor, vatMinor);
  return { amountMinor, ...partsOf({ amountMinor, vatMinor, commissionMinor }) };
}

/** What listeners pay. `subscribers` pay the price each month or year; the other numbers are per month. */
export type Figures = {
  subscribers: number;
  priceMinor: number;
  every: 'month' | 'year';
  donations: number;
  donationMinor: number;
  sales: number;
  salePriceMinor: number;
};

/** Equal payments of a year, and one of them. */
export type Income = { kind: PaymentKind; count: number; each: Charge & Parts };
/** Of a year, in minor units. `leftMinor`: what the creator keeps after paying the plan; it may be negative. */
export type Earnings = Charge & { shareMinor: number; planMinor: number; leftMinor: number; income: Income[] };

/** What payments of a year leave, before the taxes of the creator. */
export function earningsOf(figures: Figures, { priceMinor, ...plan }: Plan, selling: Omit<Selling, 'plan'>): Earnings {
  const income = paymentsOf(figures).map(({ count, ...payment }) => ({
    kind: payment.kind,
    count,
    each: partsOfPayment(payment, { ...selling, plan }),
  }));
  const sum = (part: keyof Income['each']) => income.reduce((all, { count, each }) => all + count * each[part], 0);
  const shareMinor = sum('shareMinor');
  const planMinor = (priceMinor ?? 0) * 12;
  return {
    amountMinor: sum('amountMinor'),
    vatMinor: sum('vatMinor'),
    commissionMinor: sum('commissionMinor'),
    shareMinor,
    planMinor,
    leftMinor: shareMinor - planMinor,
    income,
  };
}

/** Payments of a year, without kinds that nobody pays. */
function paymentsOf(figures: Figures): (Payment & { count: number })[] {
  const { subscribers, priceMinor, every, donations, donationMinor, sales, salePriceMinor } = figures;
  const all = {
    subscriptions: { count: every === 'month' ? subscribers * 12 : subscribers, amountMinor: priceMinor },
    donations: { count: donations * 12, amountMinor: donationMinor },
    sales: { count: sales * 12, amountMinor: salePriceMinor },
  };
  return PAYMENT_KINDS.map((kind) => ({ kind, ...all[kind] })).filter(({ count }) => count > 0);
}

/** A twelfth of a year's amounts. Each is rounded, and the rounding errors are in what the creator keeps. */
export function monthOf(year: Earnings): Omit<Earnings, 'income'> {
  const month = (minor: number) => Math.round(minor / 12);
  const [amountMinor, vatMinor, commissionMinor, planMinor] = [
    month(year.amountMinor),
    month(year.vatMinor),
    month(year.commissionMinor),
    month(year.planMinor),
  ];
  const { shareMinor } = partsOf({ amountMinor, vatMinor, commissionMinor });
  return { amountMinor, vatMinor, commissionMinor, shareMinor, planMinor, leftMinor: shareMinor - planMinor };
}

/** `feeMinor`: of the payments that the platform takes. `missing`: kinds of payments that it does not take. */
export type PlatformFees = { feeMinor: number; missing: PaymentKind[] };

/** The fees of another platform for the same payments of a year. Fixed amounts count the same in every currency. */
export function platformFees({ fees, monthlyMinor = 0 }: Platform, income: readonly Income[]): PlatformFees {
  const ofPayments = income.reduce((all, { kind, count, each }) => {
    const rates = fees[kind];
    return rates ? all + count * paymentFee(rates, each.amountMinor) : all;
  }, 0);
  return {
    feeMinor: ofPayments + 12 * monthlyMinor,
    missing: income.flatMap(({ kind }) => (fees[kind] ? [] : [kind])),
  };
}

/** The fee of one payment, never more than the payment. */
export function paymentFee({ platform, processing, small }: PaymentFees, amountMinor: number): number {
  const card = small && amountMinor <= small.upToMinor ? small : processing;
  return Math.min(amountMinor, rated(platform, amountMinor) + rated(card, amountMinor));
}

const rated = ({ basisPoints, fixedMinor }: Rate, amountMinor: number) =>
  Math.round((amountMinor * basisPoints) / 10_000) + fixedMinor;
