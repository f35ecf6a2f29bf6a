import { AppError } from '../../base/errors';
import { toAccount } from './accounts';
import { notSetUp, paymentsNotFound } from './errors';
import type { PaymentsPort } from './port';
import type { CallStripe, StripeSettings } from './stripe-call';

type Operations = Pick<PaymentsPort, 'canConnect' | 'oauthUrl' | 'connect' | 'disconnect'>;

const AUTHORIZE_URL = 'https://connect.stripe.com/oauth/authorize';

/** Standard accounts that already exist; their owners connect them by OAuth. */
export function connectOperations(callStripe: CallStripe, settings: StripeSettings['connect']): Operations {
  const requireSettings = () => {
    if (!settings) throw notSetUp();
    return settings;
  };
  return {
    canConnect: settings !== undefined,
    oauthUrl: ({ state, returnUrl, email, language }) => {
      const { clientId, authorizeUrl = AUTHORIZE_URL } = requireSettings();
      const url = new URL(authorizeUrl);
      const facts = { response_type: 'code', client_id: clientId, scope: 'read_write', state, redirect_uri: returnUrl };
      for (const [name, value] of Object.entries(facts)) url.searchParams.set(name, value);
      url.searchParams.set('language', language);
      if (email) url.searchParams.set('stripe_user[email]', email);
      return url.href;
    },
    connect: (code) =>
      callStripe(async (stripe) => {
        const { stripe_user_id: id } = await stripe.oauth.token({ grant_type: 'authorization_code', code });
        if (!id) throw paymentsNotFound();
        return toAccount(await stripe.accounts.retrieve(id));
      }),
    disconnect: (account) =>
      callStripe(async (stripe) => {
        await stripe.oauth.deauthorize({ client_id: requireSettings().clientId, stripe_user_id: account });
      }).catch(ignoreUnknown),
  };
}

/** The account is not connected any more. */
function ignoreUnknown(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'payments.not_found')) throw error;
}
