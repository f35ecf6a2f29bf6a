import { id, job, QUICK, SCHEDULED } from '../job';

/** Makes a show free once its last subscription has ended (access/free-conversion.ts). */
export const completeConversion = job('products.complete-conversion', { productId: id }, QUICK);
/** Learns the words of new names, by which Discover corrects mistyped words. */
export const learnSearchWords = job('products.learn-words', {}, SCHEDULED);
/** Counts the plays by which Discover sorts. */
export const refreshPopular = job('products.refresh-popularity', {}, SCHEDULED);
export const recoverConversions = job('products.recover-conversions', {}, SCHEDULED);
