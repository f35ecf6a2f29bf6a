import { defineError } from '../../base/errors';
import { wholeSeconds } from '../../base/time';
import { UNAVAILABLE_LIMITS } from '../../limits/http';

/** `reason` is a DeclineReason. `context` has the same value: it selects the translation. */
export const cardDeclined = defineError('payments.card_declined', 'conflict');
export const authenticationRequired = defineError('payments.authentication_required', 'conflict');
/** Too many calls, or one that uses the same object or key. `seconds`: when to retry. */
export const rateLimited = defineError('payments.rate_limited', 'too_many');
const away = defineError('payments.unreachable', 'unavailable');
export const unreachable = () => away({ seconds: wholeSeconds(UNAVAILABLE_LIMITS.retryAfter) });
export const paymentsNotFound = defineError('payments.not_found', 'not_found');
/** The object's state does not allow it. */
export const paymentsConflict = defineError('payments.conflict', 'conflict');
/** The coupon is used up, has expired, or is in another currency. */
export const couponNotRedeemable = defineError('payments.coupon_not_redeemable', 'conflict');
/** The provider rejected our request: a bug on our side, such as a key that was used for another request. */
export const rejected = defineError('payments.rejected', 'upstream');
export const notSetUp = defineError('payments.not_set_up', 'upstream');
export const signatureInvalid = defineError('payments.signature_invalid', 'invalid');
