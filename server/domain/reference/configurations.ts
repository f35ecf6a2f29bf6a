import { CURRENCIES, type Currency } from '../../base/money';
import { PRICE_LIMITS } from '../../limits/billing';
import { DONATION_LIMITS } from '../../limits/donations';
import { PROMO_LIMITS } from '../../limits/insertions';
import { AUDIO_LIMITS } from '../../limits/media';
import { PAYOUT_LIMITS } from '../../limits/payouts';
import { PLANS, PLANS_FOR_SALE, type Plan, TRIAL_LIMITS } from '../../limits/plans';
import { isOffered } from '../../policy/capabilities';
import type { Ctx } from '../../runtime/ctx';

type Range = { min: number; max: number };
export type Configurations = {
  stripePublishableKey: string | null;
  currencies: readonly Currency[];
  /** In minor units, by currency; the limits of both currencies are currently the same. */
  priceLimits: Record<Currency, { monthly: Range; yearly: Range; oneTime: Range }>;
  plans: Plan[];
  maxUploadBytes: number;
  promoMaxSeconds: number;
  donation: Range;
  payoutThreshold: number;
  trialDays: number;
  supportChat: Ctx['settings']['chat'];
  features: { spotify: boolean; transcription: boolean };
};

const range = ({ minMinor, maxMinor }: { minMinor: number; maxMinor: number }): Range => ({
  min: minMinor,
  max: maxMinor,
});

/** The settings that clients need (spec §7, configurations). Amounts are in minor units. */
export function configurations(ctx: Ctx): Configurations {
  const { monthly, yearly, oneTime } = PRICE_LIMITS;
  const limits = { monthly: range(monthly), yearly: range(yearly), oneTime: range(oneTime) };
  return {
    stripePublishableKey: ctx.settings.stripePublishableKey,
    currencies: CURRENCIES,
    priceLimits: { eur: limits, usd: limits },
    plans: PLANS_FOR_SALE.map((code) => ({
      ...PLANS[code],
      features: PLANS[code].features.filter((feature) => isOffered(feature, ctx.settings)),
    })),
    maxUploadBytes: AUDIO_LIMITS.maxBytes,
    promoMaxSeconds: PROMO_LIMITS.maxSeconds,
    donation: range(DONATION_LIMITS),
    payoutThreshold: PAYOUT_LIMITS.thresholdMinor,
    trialDays: TRIAL_LIMITS.days,
    supportChat: ctx.settings.chat,
    features: { spotify: ctx.ports.spotify.openAccess !== null, transcription: ctx.settings.transcribes },
  };
}
