import type { Ctx } from '../../ctx';
import { LIMITS, PLANS, PLANS_FOR_SALE, type Plan } from '../../limits';
import { CURRENCIES, type Currency } from '../../money';

type Range = { min: number; max: number };
export type Configurations = {
  stripePublishableKey: string | null;
  currencies: readonly Currency[];
  /** Minor units, by currency; one table for both today. */
  priceLimits: Record<Currency, { monthly: Range; yearly: Range; oneTime: Range }>;
  plans: Plan[];
  maxUploadBytes: number;
  promoMaxSeconds: number;
  donation: Range;
  payoutThreshold: number;
  trialDays: number;
  features: { spotify: boolean; transcription: boolean };
};

const range = ({ minMinor, maxMinor }: { minMinor: number; maxMinor: number }): Range => ({
  min: minMinor,
  max: maxMinor,
});

/** What clients must know of this installation (REST contract, configurations). Amounts are minor units. */
export function configurations(ctx: Ctx): Configurations {
  const { monthly, yearly, oneTime } = LIMITS.price;
  const limits = { monthly: range(monthly), yearly: range(yearly), oneTime: range(oneTime) };
  return {
    stripePublishableKey: ctx.stripePublishableKey,
    currencies: CURRENCIES,
    priceLimits: { eur: limits, usd: limits },
    plans: PLANS_FOR_SALE.map((code) => PLANS[code]),
    maxUploadBytes: LIMITS.audio.maxBytes,
    promoMaxSeconds: LIMITS.promo.maxSeconds,
    donation: range(LIMITS.donation),
    payoutThreshold: LIMITS.payout.thresholdMinor,
    trialDays: LIMITS.trial.days,
    // neither room exists yet: clients must not offer them
    features: { spotify: false, transcription: false },
  };
}
