import type Stripe from 'stripe';

/** More failures within a day are repeated by the last key. */
const ATTEMPTS = 10;

/**
 * A key also repeats a failure for a day, although its reason may be gone. A failure of an earlier attempt is therefore
 * tried again with the next key: callers that share a key go through the same keys, and stop at the first success.
 * Outages are not tried again: such an attempt may have done its work.
 */
export async function freshAttempt<T>(key: string, attempt: (key: string) => Promise<T>): Promise<T> {
  for (let number = 0; ; number += 1) {
    try {
      return await attempt(number === 0 ? key : `${key}/${number}`);
    } catch (error) {
      if (!isRepeatedFailure(error) || number === ATTEMPTS) throw error;
    }
  }
}

/** Header: "Idempotent-Replayed". Without the SDK's classes, because they would be loaded at startup. */
function isRepeatedFailure(error: unknown): boolean {
  const { type, headers } = error as Partial<Stripe.errors.StripeError>;
  return type === 'StripeInvalidRequestError' && headers?.['idempotent-replayed'] === 'true';
}
