import { DAYS, HOURS, MINUTES } from '../base/time';

export const TRIAL_LIMITS = { days: 14, lifetime: DAYS(14) } as const;

/** Commission on the gross amount: basis points, plus a fixed part in minor units. */
type Commission = { basisPoints: number; fixedMinor: number };
export type PlanCode = 'FREE' | 'BASIC' | 'PRO' | 'PLUS' | 'ULTRA' | 'OLD_PRO_PLAN';
export type Feature = 'coupons' | 'insertions' | 'promos' | 'recommendations' | 'pausing' | 'transcription' | 'selling';
/** A limit of `null` is unlimited, or agreed by contract. */
export type Plan = {
  code: PlanCode;
  name: string;
  priceMinor: number | null;
  commission: Commission;
  limits: Record<
    | 'freeProducts'
    | 'paidProducts'
    | 'freeEpisodes'
    | 'subscribers'
    | 'plays'
    | 'paidSubscribers'
    | 'contacts'
    | 'emails',
    number | null
  > & { transcriptionMinutes: number };
  features: Feature[];
};

const FREE_COMMISSION = { basisPoints: 1000, fixedMinor: 30 };
const PAID_COMMISSION = { basisPoints: 300, fixedMinor: 30 };
const PAID_FEATURES: Feature[] = ['selling', 'coupons', 'insertions', 'promos', 'recommendations', 'pausing'];
const UNLIMITED = { freeProducts: null, paidProducts: null, freeEpisodes: null };

const PRO: Plan = {
  code: 'PRO',
  name: 'Pro',
  priceMinor: 19_00,
  commission: PAID_COMMISSION,
  limits: {
    ...UNLIMITED,
    subscribers: 5000,
    plays: 50_000,
    paidSubscribers: 1000,
    contacts: 10_000,
    emails: 50_000,
    transcriptionMinutes: 120,
  },
  features: [...PAID_FEATURES, 'transcription'],
};

/** Prices are per month, the same figure in EUR and USD. */
export const PLANS: Record<PlanCode, Plan> = {
  FREE: {
    code: 'FREE',
    name: 'Free',
    priceMinor: 0,
    commission: FREE_COMMISSION,
    limits: {
      freeProducts: 1,
      paidProducts: 0,
      freeEpisodes: 10,
      subscribers: 1000,
      plays: 1000,
      paidSubscribers: 0,
      contacts: 500,
      emails: 500,
      transcriptionMinutes: 0,
    },
    features: [],
  },
  BASIC: {
    code: 'BASIC',
    name: 'Basic',
    priceMinor: 9_00,
    commission: PAID_COMMISSION,
    limits: {
      freeProducts: 1,
      paidProducts: 3,
      freeEpisodes: null,
      subscribers: 1000,
      plays: 10_000,
      paidSubscribers: 100,
      contacts: 1000,
      emails: 5000,
      transcriptionMinutes: 0,
    },
    features: PAID_FEATURES,
  },
  PRO,
  PLUS: {
    code: 'PLUS',
    name: 'Plus',
    priceMinor: 49_00,
    commission: PAID_COMMISSION,
    limits: {
      ...UNLIMITED,
      subscribers: 20_000,
      plays: 250_000,
      paidSubscribers: 5000,
      contacts: 50_000,
      emails: 250_000,
      transcriptionMinutes: 600,
    },
    features: [...PAID_FEATURES, 'transcription'],
  },
  ULTRA: {
    code: 'ULTRA',
    name: 'Ultra',
    priceMinor: null,
    commission: PAID_COMMISSION,
    limits: {
      ...UNLIMITED,
      subscribers: null,
      plays: null,
      paidSubscribers: null,
      contacts: null,
      emails: null,
      transcriptionMinutes: 600,
    },
    features: [...PAID_FEATURES, 'transcription'],
  },
  /** Not for sale; existing creators keep this plan. */
  OLD_PRO_PLAN: { ...PRO, code: 'OLD_PRO_PLAN', name: 'Pro (old)', priceMinor: 9_00 },
};

export const PLANS_FOR_SALE: PlanCode[] = ['FREE', 'BASIC', 'PRO', 'PLUS', 'ULTRA'];

/** The plans whose prices are known: ULTRA is agreed by contract. */
export const PRICED_PLANS: PlanCode[] = PLANS_FOR_SALE.filter((code) => PLANS[code].priceMinor !== null);

/** The plans that creators can buy by themselves: ULTRA is agreed by contract. */
export const BUYABLE_PLANS = ['BASIC', 'PRO', 'PLUS'] as const satisfies PlanCode[];
export type BuyablePlan = (typeof BUYABLE_PLANS)[number];

/** `preview`: how long a displayed amount can be confirmed. `confirmation`: how long its payment page is open. */
export const PLAN_CHANGE_LIMITS = {
  confirmation: HOURS(1),
  preview: MINUTES(30),
  invoices: 100,
  reasonLength: 500,
} as const;
