import { type Feature, PLANS, type Plan, type PlanCode } from '~/server/limits/plans';
import { type Equipment, isOffered } from '~/server/policy/capabilities';

export const planName = (code: PlanCode): string => PLANS[code].name;

export type LimitRow = keyof Plan['limits'];

/** The rows of the comparison, in the table's order. Each is also the key of its text. */
const ALL_LIMITS: LimitRow[] = [
  'paidSubscribers',
  'paidProducts',
  'freeProducts',
  'freeEpisodes',
  'subscribers',
  'plays',
  'contacts',
  'emails',
  'transcriptionMinutes',
];
export const limitRows = (equipment: Equipment) => ALL_LIMITS.filter((row) => isOffered(row, equipment));
const ALL_FEATURES: Feature[] = [
  'selling',
  'coupons',
  'promos',
  'recommendations',
  'insertions',
  'pausing',
  'transcription',
];
export const featureRows = (equipment: Equipment) => ALL_FEATURES.filter((row) => isOffered(row, equipment));

/** The advantages of the next larger plan, shown to creators that outgrow theirs. */
export function gainsOf(from: Plan, to: Plan, equipment: Equipment) {
  const limits = limitRows(equipment).filter((row) => isMore(to.limits[row], from.limits[row]));
  const features = featureRows(equipment).filter((row) => to.features.includes(row) && !from.features.includes(row));
  return { limits, features };
}

const isMore = (one: number | null, other: number | null): boolean => other !== null && (one === null || one > other);

/** The plan offered to creators that outgrow this one; null if only a contract is larger. */
export const NEXT_PLAN: Record<PlanCode, PlanCode | null> = {
  FREE: 'BASIC',
  BASIC: 'PRO',
  PRO: 'PLUS',
  OLD_PRO_PLAN: 'PLUS',
  PLUS: null,
  ULTRA: null,
};
