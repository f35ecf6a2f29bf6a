import type { ReactNode } from 'react';
import { WithSideNav } from '~/app/components/side-nav';
import type { BillingPart } from '~/app/lib/billing-part';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';

/** A page of the billing settings, beside the links to all of them. Only owners have a plan. */
export function BillingParts({ current, children }: { current: BillingPart; children: ReactNode }) {
  const { t } = useTranslation('account');
  const { creator, role } = useStudio().user;
  const paths = usePaths();
  const parts: BillingPart[] = creator && role === 'owner' ? ['plan', 'invoices', 'payouts'] : ['invoices', 'payouts'];
  const links = parts.map((part) => (
    <Link
      key={part}
      to={paths.billingPart(part)}
      prefetch="intent"
      aria-current={part === current ? 'page' : undefined}
    >
      {t(`billing.part.${part}`)}
    </Link>
  ));
  return (
    <WithSideNav label={t('tabs.billing')} links={links}>
      {children}
    </WithSideNav>
  );
}
