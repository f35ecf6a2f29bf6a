import { ClosingStep } from '~/app/features/site/marketing/closing-step';
import { NextStep } from '~/app/features/site/marketing/next-step';
import { PlanCards } from '~/app/features/site/marketing/pricing-page';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { HostingView } from './named-page-data.server';

/** What hosting includes and what it costs. */
export function HostingPage({ view: { page, links, plans, takesPayments } }: { view: HostingView }) {
  const { t } = useTranslation('pages');
  const { t: tPricing } = useTranslation('pricing');
  const paths = usePaths();
  return (
    <SiteShell links={links}>
      <div className="wrap pricing">
        <h1 lang={page.language}>{page.title}</h1>
        <p className="lead" lang={page.language}>
          {page.description}
        </p>
        {!takesPayments && <p className="notice">{tPricing('noPayments')}</p>}
        <NextStep />
        {/* rendered from Markdown and sanitised by the server */}
        <div className="text-body two-columns" lang={page.language} dangerouslySetInnerHTML={{ __html: page.html }} />
        <section>
          <h2>{t('hosting.plans')}</h2>
          <PlanCards plans={plans} level={3} />
          <p className="muted small">{tPricing('prices')}</p>
          <p>
            <Link to={paths.pricing}>{t('hosting.compare')}</Link>
          </p>
        </section>
        <ClosingStep title={tPricing('closing')} />
      </div>
    </SiteShell>
  );
}
