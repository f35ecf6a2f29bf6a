import { defineError } from '../../errors';

export const checkoutNotFound = defineError('billing.checkout_not_found', 'not_found');
/** Its text is the specification's (§8). */
export const alreadySubscribed = defineError('billing.already_subscribed', 'conflict');
export const notForSale = defineError('billing.not_for_sale', 'conflict');
