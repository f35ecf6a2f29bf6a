import { Section } from '~/app/components/page-header';
import { useTranslation } from '~/app/lib/translation';
import type { NextPlanPayment, PlanInvoice, PlanOverview } from '~/server/domain/billing/plan-billing/plan-overview';
import { PlanInvoices } from './plan-invoices';
import { PlanNow } from './plan-now';

type Props = { overview: PlanOverview; invoices: PlanInvoice[]; next: NextPlanPayment | null };

/** The plan on the billing page: its next payment, card and invoices. */
export function PlanBilling({ overview, invoices, next }: Props) {
  const { t } = useTranslation('plans');
  return (
    <>
      <Section title={t('subscription.title')}>
        <PlanNow overview={overview} next={next} />
      </Section>
      <Section title={t('invoices.title')}>
        <PlanInvoices invoices={invoices} />
      </Section>
    </>
  );
}
