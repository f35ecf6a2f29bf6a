import { defineError } from '../../errors';

/** `reason` says why: see DeclineReason. `context` is the same for the locales, which have a sentence for most. */
export const cardDeclined = defineError('payments.card_declined', 'conflict');
export const authenticationRequired = defineError('payments.authentication_required', 'conflict');
/** `seconds` says when to come back. */
export const rateLimited = defineError('payments.rate_limited', 'too_many');
export const unreachable = defineError('payments.unreachable', 'upstream');
export const paymentsNotFound = defineError('payments.not_found', 'not_found');
/** The object is in a state that does not allow it, or the key was used for something else. */
export const paymentsConflict = defineError('payments.conflict', 'conflict');
/** A coupon that is used up, over, or in another currency. */
export const couponNotRedeemable = defineError('payments.coupon_not_redeemable', 'conflict');
/** We asked for something that the provider does not take: a fault of ours. */
export const refused = defineError('payments.refused', 'upstream');
export const notSetUp = defineError('payments.not_set_up', 'upstream');
export const signatureInvalid = defineError('payments.signature_invalid', 'invalid');
