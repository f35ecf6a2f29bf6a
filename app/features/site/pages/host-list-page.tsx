import { PasteFeed } from '~/app/features/site/marketing/paste-feed';
import { type LinkGroup, SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ListedHost } from './host-guides-data.server';

/** The hosts from which creators move here. */
export function HostListPage({ links, hosts }: { links: LinkGroup[]; hosts: ListedHost[] }) {
  const { t } = useTranslation('arrival');
  return (
    <SiteShell links={links}>
      <div className="wrap blog">
        <h1>{t('hosts.title')}</h1>
        <p className="lead">{t('hosts.lead')}</p>
        <ul className="blog-list">
          {hosts.map(({ path, name, description }) => (
            <li key={path}>
              <h2>
                <Link to={path}>{name}</Link>
              </h2>
              <p>{description}</p>
            </li>
          ))}
        </ul>
        <PasteFeed />
      </div>
    </SiteShell>
  );
}
