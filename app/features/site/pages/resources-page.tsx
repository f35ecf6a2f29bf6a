import { NextStep } from '~/app/features/site/marketing/next-step';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ResourcesView } from './collection-data.server';

/** Checklists and guides. */
export function ResourcesPage({ view: { resources, webinars, links } }: { view: ResourcesView }) {
  const { t } = useTranslation('pages');
  return (
    <SiteShell links={links}>
      <div className="wrap pricing">
        <h1>{t('resources.title')}</h1>
        <p className="lead">{t('resources.lead')}</p>
        <ul className="blog-list resource-list">
          {resources.map(({ path, title, description }) => (
            <li key={path}>
              <h2>
                <Link to={path}>{title}</Link>
              </h2>
              <p>{description}</p>
            </li>
          ))}
        </ul>
        {webinars && (
          <p className="muted">
            <Link to={webinars}>{t('resources.webinars')}</Link>
          </p>
        )}
        <section className="closing">
          <h2>{t('resources.closing')}</h2>
          <NextStep />
        </section>
      </div>
    </SiteShell>
  );
}
