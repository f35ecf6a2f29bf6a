import { BillingSection } from '~/app/features/listener/account/billing-section';
import { proofFor } from '~/app/features/listener/account/payout-proof';
import { PayoutSection } from '~/app/features/listener/account/payout-section';
import classes from '~/app/features/listener/account/settings.module.css';
import { StripeLink } from '~/app/features/listener/account/stripe-link';
import { PlanBilling } from '~/app/features/studio/plans/plan-billing';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';

export const loader = page(async ({ api, context }) => {
  const { country } = await api.accounts.me();
  const secondFactor = await api.accounts.secondFactor();
  const names = new Intl.DisplayNames([context.language], { type: 'region' });
  return {
    details: await api.accounts.billingDetails(),
    proof: proofFor(await api.accounts.security(), secondFactor),
    plan: await planOf(api),
    hasPasskey: secondFactor.passkeys.length > 0,
    country: country && (names.of(country) ?? country),
    title: translator(context.language, 'account')('tabs.billing'),
  };
});

/** The creator's plan and its invoices, for its owner. */
async function planOf(api: Door['api']) {
  const { role, creator } = await api.accounts.me();
  if (!creator || role !== 'owner') return null;
  const [overview, invoices] = await Promise.all([api.plans.overview(), api.plans.invoices()]);
  return { overview, invoices, next: overview.subscription ? await api.plans.nextPayment() : null };
}

export const action = form(
  sectionAction({
    payout: async ({ api }, values) => {
      await api.accounts.updatePayoutAddress(values as never);
      return 'payout_saved';
    },
    billing: async ({ api }, values) => {
      await api.accounts.updateBillingDetails(values as never);
      return 'billing_saved';
    },
  }),
  { then: (done, { url }) => withDoneMessage(pathsFor(url).billing, done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Billing() {
  const { details, proof, hasPasskey, country, plan } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <div className={classes.sections}>
      {plan && <PlanBilling {...plan} />}
      {plan && <StripeLink />}
      <PayoutSection details={details} proof={proof} hasPasskey={hasPasskey} failure={failure} />
      <BillingSection details={details} country={country} failure={failure} />
    </div>
  );
}
