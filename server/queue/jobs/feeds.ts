import { z } from 'zod';
import { LANGUAGES } from '~/locales/languages';
import { id, job, PATIENT, QUICK, SCHEDULED } from '../job';

/** Sends the link by which an address follows a free show. */
export const sendFollowLink = job(
  'feeds.send-follow-link',
  { email: z.string().max(254), productId: id, language: z.enum(LANGUAGES) },
  QUICK,
);
/** Tells the WebSub hub that a show's public feed has changed (feeds/hub-pings.ts). */
export const pingHub = job('feeds.ping-hub', { productId: id }, { ...PATIENT, retries: 5 });
/** Tells Podping the same (feeds/hub-pings.ts). */
export const podpingFeed = job('feeds.podping', { productId: id }, { ...PATIENT, retries: 5 });
/** Finds private feeds that many people share (shared-feeds.ts), and emails the listener or replaces the address. */
export const findShared = job('feeds.find-shared', {}, SCHEDULED);
export const dealWithSharing = job('feeds.deal-with-sharing', { linkId: id }, QUICK);
