import { type AppError, defineError } from '../../base/errors';
import type { PriceProblem } from './rules';

export const productNotFound = defineError('product.not_found', 'not_found');
export const productGone = defineError('product.deleted', 'expired');
/** An operator has taken the show down: its team still sees it, but can't publish or unarchive it. */
export const productTakenDown = defineError('product.taken_down', 'forbidden');
export const ownerLinkExpired = defineError('product.owner_link_expired', 'expired');
export const tooManyOwnerEmails = defineError('product.too_many_owner_emails', 'too_many', { field: 'ownerEmail' });
export const slugTaken = defineError('product.slug_taken', 'invalid', { field: 'slug' });
/** The param is the number of subscribers. */
export const hasSubscribers = defineError('product.has_subscribers', 'invalid', { field: 'price' });
/** The param is the number of people who pay or have paid. */
export const hasBuyers = defineError('product.has_buyers', 'conflict');
export const otherName = defineError('product.other_name', 'invalid', { field: 'confirmation' });
export const alreadyFree = defineError('product.already_free', 'conflict');
export const notBecomingFree = defineError('product.not_becoming_free', 'conflict');
/** Money was refunded, or will be at any moment. */
export const refundingSubscribers = defineError('product.refunding_subscribers', 'conflict');
/** Operators feature shows that all visitors may see, and that are not explicit. */
export const notForEveryone = defineError('product.not_for_everyone', 'conflict', { field: 'id' });
export const notFeatured = defineError('product.not_featured', 'not_found');
export const tooManyFeatured = defineError('product.too_many_featured', 'conflict');
export const featuredUntilPast = defineError('product.featured_until_past', 'invalid', { field: 'until' });
export const becomingFree = defineError('product.becoming_free', 'invalid', { field: 'price' });

export function invalidPrice({ code, field, params }: PriceProblem): AppError {
  return defineError(code, 'invalid', { field })(params);
}
