import { z } from 'zod';
import { id, job, LONG, QUICK, SCHEDULED } from '../job';

/** Sends the link to set a new password, if the address has an account. */
export const sendPasswordReset = job('accounts.send-password-reset', { email: z.string().max(254) }, QUICK);
/** Sends the links that confirm a change of address. */
export const sendEmailChange = job('accounts.send-email-change', { userId: id }, QUICK);
/**
 * Deletes an account that is due, room by room (jobs/handlers/deletion.ts). It restarts after a crash; an account whose
 * owner has undone the deletion stays.
 */
export const deleteAccount = job('accounts.delete', { userId: id }, LONG);
/** Writes all personal data of a user into a zip, and emails the link. */
export const buildExport = job('accounts.build-export', { exportId: z.uuid() }, LONG);
export const recoverDeletions = job('accounts.recover-deletions', {}, SCHEDULED);
export const sweepExports = job('accounts.sweep-exports', {}, SCHEDULED);
export const sweepSessions = job('accounts.sweep-sessions', {}, SCHEDULED);
