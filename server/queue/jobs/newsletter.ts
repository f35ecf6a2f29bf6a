import { z } from 'zod';
import { EDITING_LIMITS } from '../../limits/newsletter';
import { count, id, job, LONG, QUICK, SCHEDULED } from '../job';

/**
 * Sends the emails of the outbox that the sender of newsletters sends (newsletter/deliver-bulk-emails.ts). Also runs each
 * minute, for emails that are tried again.
 */
export const deliverBulkEmails = job('newsletter.deliver-bulk-emails', {}, { ...LONG, workers: 2 });
/** Welcomes a contact who has confirmed the newsletter form (newsletter/send-welcome.ts). */
export const sendWelcome = job('newsletter.send-welcome', { contactId: id }, QUICK);
/** Starts a scheduled edition; does nothing if it was rescheduled. */
export const startEdition = job('newsletter.start-edition', { editionId: id }, QUICK);
/** Sends the emails of an edition that wait (newsletter/deliver-edition.ts), and enqueues itself for those that wait longer. */
export const deliverEdition = job('newsletter.deliver-edition', { editionId: id }, { ...LONG, retries: 5, workers: 2 });
/** Enqueues the two above for editions that a lost job has left. */
export const recoverEditions = job('newsletter.recover-editions', {}, SCHEDULED);
/** Reads the mailbox in which bounces arrive (newsletter/read-mailbox.ts). */
export const readMailbox = job('newsletter.read-mailbox', {}, { ...SCHEDULED, expires: 600 });
/** Deletes what reports about emails no longer need (newsletter/record-mail-events.ts). */
export const sweepReports = job('newsletter.sweep-reports', {}, SCHEDULED);
/**
 * Enrols a contact in the automations that an event starts (newsletter/enrol-contact.ts): a contact who has signed up, or
 * a user who has bought a show or cancelled its subscription. `at`: when that was.
 */
export const enrolContact = job(
  'newsletter.enrol-contact',
  {
    trigger: z.enum(['sign_up', 'purchase', 'cancellation']),
    contactId: id.optional(),
    userId: id.optional(),
    productId: id.optional(),
    at: z.iso.datetime(),
  },
  QUICK,
);
/** Sends the emails of a step that are due (newsletter/deliver-step.ts). */
export const deliverStep = job('newsletter.deliver-step', { editionId: id }, { ...LONG, retries: 5, workers: 2 });
/** Enqueues the one above for steps with due emails, those with ids above `after` first (newsletter/send-due-steps.ts). */
export const sendDueSteps = job('newsletter.send-due-steps', { after: count }, SCHEDULED);
/** Gives further people who wait for a step its new time (newsletter/move-waiting.ts). */
export const moveWaiting = job('newsletter.move-waiting', { editionId: id }, QUICK);
/** Deletes pictures that nothing of a creator contains any more (newsletter/release-pictures.ts). */
export const releasePictures = job(
  'newsletter.release-pictures',
  { creatorId: id, keys: z.array(z.string()).max(EDITING_LIMITS.released) },
  LONG,
);
/** Looks the DNS records of one sending domain up (newsletter/check-sending-domain.ts). */
export const checkDomain = job('newsletter.check-domain', { domainId: id }, QUICK);
/** Enqueues the one above for the domains that were not checked for a day. */
export const checkDomains = job('newsletter.check-domains', {}, SCHEDULED);
