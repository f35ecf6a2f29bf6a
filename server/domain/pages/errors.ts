import { defineError } from '../../base/errors';

/** An operator has taken the object down: its page says so (451). At other doors it is missing. */
export const takenDown = defineError('page.taken_down', 'expired');
export const priceBounds = defineError('earnings.amount_bounds', 'invalid', { field: 'price' });
export const donationBounds = defineError('earnings.amount_bounds', 'invalid', { field: 'donation' });
export const salePriceBounds = defineError('earnings.amount_bounds', 'invalid', { field: 'salePrice' });
