import { type Call, call } from '../call';
import { payoutAmountsOut, requestedPayoutOut } from '../serializers/payouts';

export const payoutCalls: Call[] = [
  call('GET products-payout-amount/', 'payouts.overview', {
    access: 'auth',
    summary:
      'Balances of the creator, by currency. `next_request_date` is null unless a payout was requested this month.',
    out: payoutAmountsOut,
  }),
  call('GET request-payout/', 'payouts.request', {
    access: 'auth',
    summary:
      'Request the whole available balance of a currency, once a month (UTC). 400 up to 50.00, and without an address; 409 if it was requested before. `code`: for accounts with a second factor. With the token of a browser, a first payout to an address is refused.',
    // a session of the API began with the password, and the address of a GET would be logged
    fixed: { currentPassword: '' },
    out: requestedPayoutOut,
  }),
];
