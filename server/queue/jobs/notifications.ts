import { z } from 'zod';
import { count, job, QUICK, SCHEDULED } from '../job';

/**
 * Makes one attempt to send an email from the outbox. The job enqueues the next attempt itself: the queue would double
 * its pauses up to a day. Without `attempt`, a former version has enqueued it.
 */
export const deliverEmail = job('notifications.deliver', { emailId: z.uuid(), attempt: count }, QUICK);
export const sweepOutbox = job('notifications.sweep-outbox', {}, SCHEDULED);
