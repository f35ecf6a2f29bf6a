import { z } from 'zod';
import { fields } from '../../fields';
import { MANAGING_LIMITS } from '../../limits/billing';

const minor = z.coerce.number().int().nonnegative();

export const findSubscription = z.object({ id: fields.id() });
export const cancelSubscription = findSubscription.extend({
  reason: fields.text(MANAGING_LIMITS.leavingReason).optional(),
});
/** `at` and the amounts are those of the preview. */
export const changeToYearly = findSubscription.extend({ at: fields.instant(), dueMinor: minor, yearlyMinor: minor });

export type FindSubscription = z.infer<typeof findSubscription>;
export type CancelSubscription = z.infer<typeof cancelSubscription>;
export type ChangeToYearly = z.infer<typeof changeToYearly>;

/** The provider's ids of cards. */
const cardId = z.string().regex(/^[\w-]{1,100}$/);
export const findCard = z.object({ id: cardId });
/** `subscription`: only this one will be charged to the new card. */
export const startCard = z.object({ subscription: fields.id().optional() });
export const finishCard = z.object({ checkout: z.uuid() });

export type FindCard = z.infer<typeof findCard>;
export type StartCard = z.infer<typeof startCard>;
export type FinishCard = z.infer<typeof finishCard>;
