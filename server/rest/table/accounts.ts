import { type Call, call } from '../call';
import {
  currentUserOut,
  deletionOut,
  loggedInOut,
  loggedOutOut,
  resetRequestedOut,
  trackingDataOut,
} from '../serializers/accounts';

const SIGN_UP = { password1: 'password', password2: 'passwordConfirmation' };

export const accountCalls: Call[] = [
  call('POST auth/login/', 'accounts.logIn', {
    access: 'none',
    summary:
      'Log in. `key` is the token for later calls. `code`: for accounts with a second factor, of the app or for recovery.',
    out: loggedInOut,
  }),
  call('POST auth/logout/', 'accounts.logOut', {
    access: 'auth',
    summary: 'Log out. The token stops working at once.',
    out: loggedOutOut,
  }),
  call('POST auth/registration/', 'accounts.signUp', {
    access: 'none',
    summary: 'Sign up. Sends an email to verify the address.',
    names: SIGN_UP,
    // a missing confirmation counts as a mismatch, not as a missing field
    defaults: { passwordConfirmation: '' },
    out: loggedInOut,
    status: 201,
  }),
  call('POST auth/password/reset/', 'accounts.requestPasswordReset', {
    access: 'none',
    summary: 'Ask for an email with a link to set a new password. The answer is the same for unknown addresses.',
    out: resetRequestedOut,
  }),
  call('GET auth/user/', 'accounts.me', { access: 'auth', summary: 'The owner of the token.', out: currentUserOut }),
  call('PATCH auth/user/', 'accounts.update', {
    access: 'auth',
    summary: 'Update the account. The currency follows the country.',
    out: currentUserOut,
  }),
  call('GET delete-account/', 'accounts.requestDeletionByToken', {
    access: 'auth',
    summary: 'Delete the account within 24 hours. Sends an email with a link to undo it.',
    out: deletionOut,
  }),
  call('GET gtm-data/', 'accounts.trackingData', {
    access: 'optional',
    summary: 'User data for tracking, without name and email address; for a visitor, only the language.',
    out: trackingDataOut,
  }),
];
