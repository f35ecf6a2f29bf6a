import { redirectDocument } from '@remix-run/node';
import { Alert } from '~/app/components/alert';
import { BillingParts } from '~/app/features/listener/account/billing-parts';
import { proofFor } from '~/app/features/listener/account/payout-proof';
import classes from '~/app/features/listener/account/settings.module.css';
import {
  AccountSection,
  ConnectSection,
  DisconnectSection,
  FormerAccount,
} from '~/app/features/listener/account/stripe-section';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The creator's own account at Stripe. `problem`: why a connection failed. */
export const loader = page(async (door) => {
  await requireAbility(door, 'creator.connectAccount');
  const { api, context, url } = door;
  const [view, running, security, factors] = await Promise.all([
    api.sellerAccount.view(),
    api.sellerAccount.running(),
    api.accounts.security(),
    api.accounts.secondFactor(),
  ]);
  const problem = PROBLEMS.find((code) => code === url.searchParams.get('problem'));
  return {
    ...view,
    running,
    proof: proofFor(security, factors),
    hasPasskey: factors.passkeys.length > 0,
    problem: problem ? context.translate(`errors:payout.${problem}`) : null,
    title: translator(context.language, 'account')('stripe.title'),
  };
});

const PROBLEMS = ['connecting_expired', 'connecting_denied', 'account_in_use', 'account_connected'];

export const action = form(
  sectionAction<{ url: string } | { message: string }>({
    connect: ({ api }, values) => api.sellerAccount.start(values),
    disconnect: async ({ api }, values) => {
      await api.sellerAccount.disconnect(values);
      return { message: 'account_disconnected' };
    },
  }),
  {
    then: (done, { url }) =>
      'url' in done ? redirectDocument(done.url, 303) : withDoneMessage(pathsFor(url).sellerAccount, done.message),
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function StripeAccount() {
  const { t } = useTranslation('account');
  const { account, canConnect, running, proof, hasPasskey, problem } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const isConnected = account !== null && account.status !== 'disconnected';
  const form = { proof, hasPasskey, failure };
  return (
    <BillingParts current="payouts">
      <div className={classes.sections}>
        {problem && (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        {isConnected && <AccountSection account={account} running={running} />}
        {isConnected && <DisconnectSection {...form} running={running} />}
        {account && !isConnected && <FormerAccount account={account} running={running} />}
        {!isConnected && canConnect && <ConnectSection {...form} />}
        {!isConnected && !canConnect && <p className={classes.name}>{t('stripe.notOffered')}</p>}
      </div>
    </BillingParts>
  );
}
