import { defineError } from '../../errors';

export const productNotFound = defineError('product.not_found', 'not_found');
export const slugTaken = defineError('product.slug_taken', 'invalid', { field: 'slug' });
