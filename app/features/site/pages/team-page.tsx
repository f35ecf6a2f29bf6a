import { SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import type { TeamView } from './named-page-data.server';

/** Who runs this installation, and what the operator has not set. */
export function TeamPage({ view: { page, links, operator } }: { view: TeamView }) {
  const { t } = useTranslation('pages');
  const paths = useSitePaths();
  const { name, email, address, vatNumber } = operator;
  return (
    <SiteShell links={links}>
      <div className="wrap">
        <article className="site-text">
          <h1 lang={page.language}>{page.title}</h1>
          <p className="lead" lang={page.language}>
            {page.description}
          </p>
          <dl className="operator-facts">
            <Fact name={t('team.operator')} value={name} />
            <div>
              <dt>{t('team.email')}</dt>
              <dd>
                <a href={`mailto:${email}`}>{email}</a>
              </dd>
            </div>
            <Fact name={t('team.address')} value={address} />
            <Fact name={t('team.vatNumber')} value={vatNumber} />
          </dl>
          {/* rendered from Markdown and sanitised by the server */}
          <div className="text-body" lang={page.language} dangerouslySetInnerHTML={{ __html: page.html }} />
          <p className="actions">
            <Link className="button" to={paths.contact}>
              {t('team.write')}
            </Link>
          </p>
        </article>
      </div>
    </SiteShell>
  );
}

function Fact({ name, value }: { name: string; value: string | null }) {
  const { t } = useTranslation('pages');
  return (
    <div>
      <dt>{name}</dt>
      <dd className={value === null ? 'muted' : undefined}>{value ?? t('team.notSet')}</dd>
    </div>
  );
}
