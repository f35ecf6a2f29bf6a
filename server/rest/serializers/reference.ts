import { z } from 'zod';
import { CURRENCIES, type Currency, toDecimal } from '../../base/money';
import type { Configurations } from '../../domain/reference/configurations';
import type { CountryOption } from '../../domain/reference/queries';
import type { Category } from '../../feed/apple-categories';
import type { Plan } from '../../limits/plans';
import { serializer } from '../call';
import { toSnakeCase } from '../names';

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

export const clientCountryOut = serializer(
  'ClientCountry',
  z.strictObject({ country: z.string().length(2).nullable(), currency: z.enum(CURRENCIES) }),
  (found: { country: string | null; currency: Currency }) => found,
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

type MinorRange = { min: number; max: number };
const decimals = ({ min, max }: MinorRange) => ({ min: toDecimal(min), max: toDecimal(max) });

/** The outer `min` and `max` repeat the monthly range, which old clients read. */
const pricesOut = ({ monthly, yearly, oneTime }: { monthly: MinorRange; yearly: MinorRange; oneTime: MinorRange }) => ({
  ...decimals(monthly),
  monthly: decimals(monthly),
  yearly: decimals(yearly),
  one_time: decimals(oneTime),
});

/** Prices are the same figure in both currencies. */
const planOut = ({ code, name, priceMinor, limits, features }: Plan): z.output<typeof plan> => ({
  code,
  name,
  price: priceMinor === null ? null : toDecimal(priceMinor),
  currency: 'eur',
  limits: Object.fromEntries(Object.entries(limits).map(([limit, value]) => [toSnakeCase(limit), value])),
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
  (configurations: Configurations) => ({
    stripe_publishable_key: configurations.stripePublishableKey,
    currencies: [...configurations.currencies],
    price_limits: { eur: pricesOut(configurations.priceLimits.eur), usd: pricesOut(configurations.priceLimits.usd) },
    plans: configurations.plans.map(planOut),
    max_upload_bytes: configurations.maxUploadBytes,
    promo_max_seconds: configurations.promoMaxSeconds,
    donation: decimals(configurations.donation),
    payout_threshold: toDecimal(configurations.payoutThreshold),
    trial_days: configurations.trialDays,
    support_chat: configurations.supportChat,
    gtm_id: null,
    features: configurations.features,
  }),
);
