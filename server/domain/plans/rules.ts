import { DAYS, later, utcMonth } from '../../base/time';
import {
  BUYABLE_PLANS,
  type BuyablePlan,
  type Feature,
  PLANS,
  type Plan,
  type PlanCode,
  TRIAL_LIMITS,
} from '../../limits/plans';
import { type Equipment, isOffered } from '../../policy/capabilities';

/**
 * `plan`: the plan that the creator has chosen; null without one. `endsAt`: FREE from then on, after a cancellation.
 * `claimedAt`: null for a listener.
 */
export type Chosen = { plan: PlanCode | null; endsAt: Date | null; claimedAt: Date | null };

/**
 * The plan in force: the chosen one, otherwise PRO during the trial and then FREE. The trial starts when the creator page
 * is claimed, and buying a plan ends it.
 */
export function planInForce({ plan, endsAt, claimedAt }: Chosen, now: Date): { plan: Plan; isTrial: boolean } {
  const isTrial = plan === null && claimedAt !== null && now < trialEnd(claimedAt);
  const isOver = endsAt !== null && endsAt <= now;
  return { plan: PLANS[isTrial ? 'PRO' : isOver ? 'FREE' : (plan ?? 'FREE')], isTrial };
}

export type PlanPeriod = { plan: PlanCode; startsAt: Date; endsAt: Date | null };

/**
 * The plan at a moment, from all periods of a creator. Of two periods, the later beginning counts. Contracts, and plans
 * from before periods were kept, have none: then the chosen plan counts.
 */
export function planAtTime(chosen: Chosen, periods: readonly PlanPeriod[], at: Date): Plan {
  if (periods.length === 0 || chosen.plan === 'ULTRA') return planInForce(chosen, at).plan;
  const begun = periods.filter(({ startsAt }) => startsAt <= at);
  if (begun.length === 0) return planInForce({ ...chosen, plan: null }, at).plan;
  const latest = begun.reduce((last, period) => (period.startsAt > last.startsAt ? period : last));
  return PLANS[latest.endsAt === null || latest.endsAt > at ? latest.plan : 'FREE'];
}

export const trialEnd = (claimedAt: Date): Date => later(claimedAt, TRIAL_LIMITS.lifetime);

export const hasFeature = ({ features }: Plan, feature: Feature): boolean => features.includes(feature);

/**
 * The commission of Altavoz on a charge, in minor units: the plan's share, rounded half up, and its fixed part, but
 * never more than what the charge leaves after its VAT (docs/decisions/0232).
 */
export function commissionOn({ commission }: Pick<Plan, 'commission'>, amountMinor: number, vatMinor = 0): number {
  const share = Math.floor((amountMinor * commission.basisPoints + 5000) / 10_000);
  return Math.min(amountMinor - vatMinor, share + commission.fixedMinor);
}

/**
 * The commission as a percentage of a charge, because the provider accepts only a percentage as our fee of a
 * subscription. It has two decimals, as the provider allows: for charges up to 100.00, the fee is the commission to the
 * cent; for higher charges, it is never more, and less by 0.01% of the charge at most.
 */
export function feePercent(plan: Pick<Plan, 'commission'>, amountMinor: number): number {
  if (amountMinor <= 0) return 0;
  const commission = commissionOn(plan, amountMinor);
  const feeAt = (hundredths: number) => Math.floor((amountMinor * hundredths + 5000) / 10_000);
  let hundredths = Math.min(10_000, Math.ceil((commission * 10_000) / amountMinor) + 1);
  while (feeAt(hundredths) > commission) hundredths -= 1;
  return hundredths / 100;
}

/** Whether `count` is within the limit of a plan. Without a limit, any number is. */
export const isWithin = (count: number, limit: number | null): boolean => limit === null || count <= limit;

/**
 * The numbers that count towards the limits of a plan: plays of the current month, and current followers and paying
 * listeners.
 */
export type PlanUsage = Record<'plays' | 'subscribers' | 'paidSubscribers', number>;
export type PlanFacts = Chosen & { bannerHiddenAt: Date | null; usage: PlanUsage };

/** The plan's status that clients show (spec §3, current user). */
export function planStatus({ plan, endsAt: planEnd, claimedAt, bannerHiddenAt, usage }: PlanFacts, now: Date) {
  const { code: inForce, limits } = planInForce({ plan, endsAt: planEnd, claimedAt }, now).plan;
  const endsAt = claimedAt && trialEnd(claimedAt);
  const isTrialOver = endsAt !== null && endsAt <= now;
  const code = planEnd !== null && planEnd <= now ? 'FREE' : (plan ?? 'FREE');
  const exceeds = (name: keyof PlanUsage) => claimedAt !== null && !isWithin(usage[name], limits[name]);
  const exceeded = {
    plays: exceeds('plays'),
    subscribers: exceeds('subscribers'),
    paidSubscribers: exceeds('paidSubscribers'),
  };
  const isExceeded = Object.values(exceeded).includes(true);
  // plays are counted by month, so a hidden banner returns with the next one
  const isHidden = bannerHiddenAt !== null && utcMonth(bannerHiddenAt) === utcMonth(now);
  return {
    code,
    /** PRO during the trial. */
    inForce,
    usage,
    isPaid: code !== 'FREE',
    trial: { eligible: claimedAt !== null, complete: isTrialOver, endsAt },
    exceeded,
    showsBanner: isExceeded && !isHidden,
    /** The trial is over, and FREE does not cover the usage. */
    isNeeded: isTrialOver && code === 'FREE' && isExceeded,
    /** The trial-ended prompt shows (spec §4). */
    isPrompted: claimedAt !== null && code === 'FREE' && (isTrialOver || (isExceeded && !isHidden)),
  };
}

export type PlanStatus = ReturnType<typeof planStatus>;

/** Remaining days of the trial, including the last one; 0 after it. */
export const trialDaysLeft = (endsAt: Date | null, now: Date): number =>
  endsAt === null ? 0 : Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / DAYS(1)));

/**
 * The plans to which a creator with this plan can change. OLD_PRO_PLAN has the features of PRO at a lower price, so
 * only PLUS offers more; ULTRA is changed by the operator.
 */
export function plansOffered(current: PlanCode): BuyablePlan[] {
  if (current === 'ULTRA') return [];
  if (current === 'OLD_PRO_PLAN') return ['PLUS'];
  return BUYABLE_PLANS.filter((code) => code !== current);
}

export const isUpgrade = (from: Plan, to: Plan): boolean =>
  from.code === 'FREE' || (to.priceMinor ?? Number.POSITIVE_INFINITY) > (from.priceMinor ?? Number.POSITIVE_INFINITY);

type Limit = Exclude<keyof Plan['limits'], 'emails' | 'transcriptionMinutes'>;
/** A creator's usage of each counted limit. */
export type PlanUse = Record<Limit, number>;
/** A loss when a plan ends: a feature; usage above the new limit, which stays but can't grow; a commission. */
export type Loss =
  | { type: 'feature'; feature: Feature }
  | { type: 'limit'; limit: Limit; used: number; allowed: number }
  | { type: 'commission'; basisPoints: number; fixedMinor: number };

/** The losses when a creator changes from one plan to another, at the current usage. */
export function lossesOf(from: Plan, to: Plan, { use, ...equipment }: { use: PlanUse } & Equipment): Loss[] {
  const isListed = (row: Feature | Limit) => isOffered(row, equipment);
  const features = from.features.filter((feature) => isListed(feature) && !hasFeature(to, feature));
  const limits = (Object.keys(use) as Limit[]).filter(isListed).flatMap((limit): Loss[] => {
    const allowed = to.limits[limit];
    return allowed !== null && use[limit] > allowed ? [{ type: 'limit', limit, used: use[limit], allowed }] : [];
  });
  const isDearer = to.commission.basisPoints > from.commission.basisPoints;
  return [
    ...features.map((feature): Loss => ({ type: 'feature', feature })),
    ...limits,
    ...(isDearer ? [{ type: 'commission', ...to.commission } satisfies Loss] : []),
  ];
}

/** The same day and time of the next month, or its last day, as the payment provider counts. */
export function nextMonth(at: Date): Date {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + 1];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const next = new Date(at);
  next.setUTCFullYear(year, month, Math.min(at.getUTCDate(), lastDay));
  return next;
}
