import { z } from 'zod';
import { count, id, job, QUICK, SCHEDULED } from '../job';

/** Notes that a link has brought an account: when it was created, and when it claims a creator page. */
export const noteReferral = job('affiliates.note-referral', { userId: id, code: z.string() }, QUICK);
/** Brings the affiliate's share of a plan's payment up to its entries in the ledger. Enqueued with each of them. */
export const settleAffiliate = job('affiliates.settle', { saleId: id }, QUICK);
/** Enqueues the jobs of the last days again, those of sales with ids above `after` first. */
export const catchUpAffiliates = job('affiliates.catch-up', { after: count }, SCHEDULED);
/** Deletes old visits. */
export const sweepVisits = job('affiliates.sweep-visits', {}, SCHEDULED);
