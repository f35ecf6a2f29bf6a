import { z } from 'zod';
import { LANGUAGES } from '~/locales/languages';
import { id, job, LONG, QUICK, SCHEDULED } from '../job';

/** Sends the link by which an address joins a creator's newsletter. */
export const sendJoinLink = job(
  'audience.send-join-link',
  { creatorId: id, email: z.string().max(254), language: z.enum(LANGUAGES), isTracked: z.boolean().optional() },
  QUICK,
);
const grantSource = z.enum(['follow', 'purchase', 'subscription']);
/** Adds a listener to the contacts of the show's creator (audience/keep-contact.ts). */
export const keepListener = job(
  'audience.keep-listener',
  // `at`: when they came; a former version has enqueued it without
  { userId: id, productId: id, source: grantSource, at: z.iso.datetime().optional() },
  QUICK,
);
/** Enqueues `keepListener` for the shows that a user follows, after their address was verified. */
export const keepFollower = job('audience.keep-follower', { userId: id }, QUICK);
/** Gives the contacts of a user their new address (audience/move-contacts.ts). */
export const moveContacts = job('audience.move-contacts', { userId: id }, QUICK);
/** Imports a file of contacts (audience/run-contact-import.ts). */
export const importContacts = job('audience.import-contacts', { importId: id }, LONG);
export const sweepContacts = job('audience.sweep-contacts', {}, SCHEDULED);
/** Deletes on which days a creator's contacts last read, after the setting was switched off (tracking-consents.ts). */
export const forgetReaders = job('audience.forget-readers', { creatorId: id, until: z.iso.date() }, LONG);
