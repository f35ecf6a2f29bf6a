import { defineError } from '../../errors';

export const productNotFound = defineError('product.not_found', 'not_found');
export const ownerLinkExpired = defineError('product.owner_link_expired', 'expired');
export const tooManyOwnerEmails = defineError('product.too_many_owner_emails', 'too_many', { field: 'ownerEmail' });
export const slugTaken = defineError('product.slug_taken', 'invalid', { field: 'slug' });
