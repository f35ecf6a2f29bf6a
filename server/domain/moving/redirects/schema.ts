import { z } from 'zod';
import { fields } from '../../../base/fields';
import { REDIRECT_LIMITS } from '../../../limits/moving';
import { code } from '../../accounts/base/schema';
import { findProduct } from '../../products/schema';

/** The fetcher decides which addresses it may open. */
export const checkRedirect = findProduct.extend({ url: fields.line(REDIRECT_LIMITS.urlLength, 'import.url_required') });
/** `code`: of the second factor, if the account has one. */
export const redirectFeed = checkRedirect.extend({ code: code.optional() });
export const undoLink = z.object({ token: z.string().max(1000, { error: 'moving.undo_link_expired' }) });

export type CheckRedirect = z.infer<typeof checkRedirect>;
export type RedirectFeed = z.infer<typeof redirectFeed>;
export type UndoLink = z.infer<typeof undoLink>;
