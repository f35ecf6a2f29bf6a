import { z } from 'zod';
import type { Configurations } from '../../domain/reference/configurations';
import type { Category } from '../../domain/reference/kinds';
import type { CountryOption } from '../../domain/reference/queries';
import type { Plan } from '../../limits/plans';
import { CURRENCIES, toDecimal } from '../../money';
import { serializer } from '../call';
import { snake } from '../names';

export const countryOut = serializer(
  'Country',
  z.strictObject({ id: z.string().length(2), name: z.string(), name_es: z.string() }),
  ({ id, name, nameEs }: CountryOption) => ({ id, name, name_es: nameEs }),
);

export const optionOut = serializer(
  'Option',
  z.strictObject({ value: z.string(), label: z.string() }),
  (option: { value: string; label: string }) => option,
);

export const categoryOut = serializer(
  'Category',
  z.strictObject({
    id: z.int(),
    name: z.string(),
    name_es: z.string(),
    slug: z.string(),
    parent_id: z.int().nullable(),
  }),
  ({ id, name, nameEs, slug, parentId }: Category) => ({ id, name, name_es: nameEs, slug, parent_id: parentId }),
);

const amount = z.string().regex(/^\d+\.\d\d$/);
const range = z.strictObject({ min: amount, max: amount });
const prices = range.extend({ monthly: range, yearly: range, one_time: range });
const plan = z.strictObject({
  code: z.string(),
  name: z.string(),
  price: amount.nullable(),
  currency: z.enum(CURRENCIES),
  limits: z.record(z.string(), z.int().nullable()),
  features: z.array(z.string()),
});

type Minor = { min: number; max: number };
const decimals = ({ min, max }: Minor) => ({ min: toDecimal(min), max: toDecimal(max) });

/** `min` and `max` beside the three ranges are those of the monthly price: the one that old clients ask for. */
const pricesOut = ({ monthly, yearly, oneTime }: { monthly: Minor; yearly: Minor; oneTime: Minor }) => ({
  ...decimals(monthly),
  monthly: decimals(monthly),
  yearly: decimals(yearly),
  one_time: decimals(oneTime),
});

/** Prices are the same figure in both currencies (product decisions, Plans). */
const planOut = ({ code, name, priceMinor, limits, features }: Plan): z.output<typeof plan> => ({
  code,
  name,
  price: priceMinor === null ? null : toDecimal(priceMinor),
  currency: 'eur',
  limits: Object.fromEntries(Object.entries(limits).map(([limit, value]) => [snake(limit), value])),
  features,
});

export const configurationsOut = serializer(
  'Configurations',
  z.strictObject({
    stripe_publishable_key: z.string().nullable(),
    currencies: z.array(z.enum(CURRENCIES)),
    price_limits: z.strictObject({ eur: prices, usd: prices }),
    plans: z.array(plan),
    max_upload_bytes: z.int(),
    promo_max_seconds: z.int(),
    donation: range,
    payout_threshold: amount,
    trial_days: z.int(),
    support_chat: z.strictObject({ provider: z.string(), id: z.string() }).nullable(),
    gtm_id: z.string().nullable(),
    features: z.strictObject({ spotify: z.boolean(), transcription: z.boolean() }),
  }),
  (known: Configurations) => ({
    stripe_publishable_key: known.stripePublishableKey,
    currencies: [...known.currencies],
    price_limits: { eur: pricesOut(known.priceLimits.eur), usd: pricesOut(known.priceLimits.usd) },
    plans: known.plans.map(planOut),
    max_upload_bytes: known.maxUploadBytes,
    promo_max_seconds: known.promoMaxSeconds,
    donation: decimals(known.donation),
    payout_threshold: toDecimal(known.payoutThreshold),
    trial_days: known.trialDays,
    support_chat: null,
    gtm_id: null,
    features: known.features,
  }),
);
