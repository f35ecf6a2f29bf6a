import { defineError } from '../../base/errors';

export const notAccepted = defineError('donation.not_accepted', 'not_found');
export const donationNotFound = defineError('donation.not_found', 'not_found');
export const currencyChanged = defineError('donation.currency_changed', 'conflict');
export const notMonthly = defineError('donation.not_monthly', 'conflict');
export const stopLinkInvalid = defineError('donation.stop_link_invalid', 'invalid');
export const emailRequired = defineError('donation.email_required', 'invalid', { field: 'email' });
