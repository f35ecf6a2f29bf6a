import type { Refund } from '../../../adapters/payments/objects';

/** The money came back to us, so the refund has no effect. */
export const FAILED: Refund['status'][] = ['failed', 'canceled'];
export const isFailed = (status: Refund['status']): boolean => FAILED.includes(status);
