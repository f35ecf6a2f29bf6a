import { useStudio } from '~/app/lib/studio-context';
import { PLANS, type PlanCode } from '~/server/limits/plans';

const NAMES = ['plays', 'subscribers', 'paidSubscribers'] as const;
export type ExceededLimit = { name: (typeof NAMES)[number]; used: number; limit: number; plan: PlanCode };

/** The limits that the user's own page exceeds; empty if they have hidden the banner for the month. */
export function useExceededLimits(): ExceededLimit[] {
  const { plan, role } = useStudio().user;
  if (role !== 'owner' || !plan.showsBanner) return [];
  return NAMES.filter((name) => plan.exceeded[name]).flatMap((name) => {
    const limit = PLANS[plan.inForce].limits[name];
    return limit === null ? [] : [{ name, used: plan.usage[name], limit, plan: plan.inForce }];
  });
}
