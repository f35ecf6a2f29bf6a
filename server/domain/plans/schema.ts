import { z } from 'zod';
import { fields } from '../../base/fields';
import { BUYABLE_PLANS, PLAN_CHANGE_LIMITS } from '../../limits/plans';

const plan = z.enum(BUYABLE_PLANS, { error: 'field.invalid' });
const amount = fields.whole(0, Number.MAX_SAFE_INTEGER);

export const previewPlan = z.strictObject({ plan });
/** `dueMinor`: the amount that was shown. `payWith`: the saved card, or the payment page. */
export const startPlan = z.strictObject({
  plan,
  dueMinor: amount,
  payWith: z.enum(['saved_card', 'page']).catch('page'),
});
/** The amounts and the moment that were shown: the change is refused if they differ. */
export const changePlan = z.strictObject({ plan, dueMinor: amount, creditMinor: amount, at: fields.instant() });
export const cancelPlan = z.strictObject({ reason: fields.text(PLAN_CHANGE_LIMITS.reasonLength).default('') });
export const planCheckout = z.strictObject({ id: z.uuid({ error: 'field.invalid' }) });

export type PreviewPlan = z.infer<typeof previewPlan>;
export type StartPlan = z.infer<typeof startPlan>;
export type ChangePlan = z.infer<typeof changePlan>;
export type CancelPlan = z.infer<typeof cancelPlan>;
export type PlanCheckout = z.infer<typeof planCheckout>;
