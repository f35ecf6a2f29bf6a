import { HelpLink } from '~/app/components/help-link';
import { Section } from '~/app/components/page-header';
import { BillingParts } from '~/app/features/listener/account/billing-parts';
import { BillingSection } from '~/app/features/listener/account/billing-section';
import { proofFor } from '~/app/features/listener/account/payout-proof';
import { PayoutSection } from '~/app/features/listener/account/payout-section';
import classes from '~/app/features/listener/account/settings.module.css';
import { StripeLink } from '~/app/features/listener/account/stripe-link';
import { PlanInvoices } from '~/app/features/studio/plans/plan-invoices';
import { PlanNow } from '~/app/features/studio/plans/plan-now';
import type { BillingPart } from '~/app/lib/billing-part';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { billingPartIn } from '~/app/lib/route-refs';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** One of the pages of the billing settings. Their own address shows the plan, and other users' invoice details. */
export const loader = page(async (door) => {
  const { api, context } = door;
  const { country, role, creator } = await api.accounts.me();
  const hasPlan = creator !== null && role === 'owner';
  const part = billingPartIn(door) ?? (hasPlan ? 'plan' : 'invoices');
  const secondFactor = await api.accounts.secondFactor();
  const names = new Intl.DisplayNames([context.language], { type: 'region' });
  const t = translator(context.language, 'account');
  return {
    part,
    hasPlan,
    plan: hasPlan && part === 'plan' ? await planOf(api) : null,
    invoices: hasPlan && part === 'invoices' ? await api.plans.invoices() : null,
    details: await api.accounts.billingDetails(),
    proof: proofFor(await api.accounts.security(), secondFactor),
    hasPasskey: secondFactor.passkeys.length > 0,
    country: country && (names.of(country) ?? country),
    title: `${t(`billing.part.${part}`)}: ${t('tabs.billing')}`,
  };
});

/** The next payment is asked of the payment provider. */
async function planOf(api: Door['api']) {
  const overview = await api.plans.overview();
  return { overview, next: overview.subscription ? await api.plans.nextPayment() : null };
}

export const action = form(
  sectionAction<{ part: BillingPart; message: string }>({
    payout: async ({ api }, values) => {
      await api.accounts.updatePayoutAddress(values as never);
      return { part: 'payouts', message: 'payout_saved' };
    },
    billing: async ({ api }, values) => {
      await api.accounts.updateBillingDetails(values as never);
      return { part: 'invoices', message: 'billing_saved' };
    },
  }),
  { then: ({ part, message }, { url }) => withDoneMessage(pathsFor(url).billingPart(part), message) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Billing() {
  const { t } = useTranslation('plans');
  const { part, hasPlan, plan, invoices, details, proof, hasPasskey, country } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  // forms of pages that were opened before the parts existed are sent to the address of the plan
  const shown = PART_OF[failure?.values.intent ?? ''] ?? part;
  return (
    <BillingParts current={shown}>
      <div className={classes.sections}>
        {shown === 'plan' && plan && (
          <Section title={t('subscription.title')}>
            <PlanNow {...plan} />
          </Section>
        )}
        {shown === 'invoices' && invoices && (
          <Section title={t('invoices.title')}>
            <PlanInvoices invoices={invoices} />
          </Section>
        )}
        {shown === 'invoices' && <BillingSection details={details} country={country} failure={failure} />}
        {shown === 'payouts' && <HelpLink screen="payouts" />}
        {shown === 'payouts' && (
          <PayoutSection details={details} proof={proof} hasPasskey={hasPasskey} failure={failure} />
        )}
        {shown === 'payouts' && hasPlan && <StripeLink />}
      </div>
    </BillingParts>
  );
}

const PART_OF: Record<string, BillingPart> = { payout: 'payouts', billing: 'invoices' };
