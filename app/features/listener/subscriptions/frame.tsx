import type { ReactNode } from 'react';
import { HelpLink } from '~/app/components/help-link';
import { SiteShell } from '~/app/features/site/site/site-shell';
import type { HelpScreen } from '~/app/lib/help-screens';
import { usePaths } from '~/app/lib/paths';
import { NavLink } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

type Props = {
  title: string;
  /** The message about a completed action. */
  done?: string | null;
  failure?: { message: string | null } | undefined;
  children: ReactNode;
  help?: HelpScreen;
};

/** The frame of a subscriber's payment pages. They work without JavaScript and without the studio's components. */
export function SubscriberFrame({ title, done, failure, help, children }: Props) {
  return (
    <SiteShell>
      <div className="wrap feed-page billing-page">
        <h1>{title}</h1>
        <SubscriberTabs />
        {failure?.message && (
          <p className="notice bad" role="alert">
            {failure.message}
          </p>
        )}
        {done && !failure?.message && (
          <p className="notice" role="status">
            {done}
          </p>
        )}
        {children}
        {help && <HelpLink screen={help} />}
      </div>
    </SiteShell>
  );
}

function SubscriberTabs() {
  const { t } = useTranslation('subscriptions');
  const { subscriptions, paymentMethods, receipts } = usePaths();
  return (
    <nav className="tabs wrapped" aria-label={t('tabs.label')}>
      <NavLink to={subscriptions} end>
        {t('tabs.subscriptions')}
      </NavLink>
      <NavLink to={paymentMethods}>{t('tabs.cards')}</NavLink>
      <NavLink to={receipts}>{t('tabs.receipts')}</NavLink>
    </nav>
  );
}
