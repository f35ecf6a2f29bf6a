import { type LinkGroup, SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import type { HELP_AUDIENCES } from '~/server/limits/content';
import { TextSearch } from './text-search';

type Audience = (typeof HELP_AUDIENCES)[number];
export type HelpCard = { slug: string; title: string; description: string; audience: Audience };
type View = {
  links: LinkGroup[];
  search: string;
  articles: HelpCard[];
  groups: { audience: Audience; articles: HelpCard[] }[];
};

/** The articles for each kind of reader, or those that a search finds. */
export function HelpPage({ view: { links, search, articles, groups } }: { view: View }) {
  const { t } = useTranslation('help');
  const paths = useSitePaths();
  return (
    <SiteShell links={links}>
      <div className="wrap help-home">
        <h1>{t('title')}</h1>
        <p className="lead">{t('lead')}</p>
        <TextSearch action={paths.help} search={search} label={t('search')} submit={t('submit')} />
        {search ? (
          <FoundArticles search={search} articles={articles} />
        ) : (
          <>
            <ul className="blog-tags" aria-label={t('readers')}>
              {groups.map(({ audience }) => (
                <li key={audience}>
                  <a href={`#${audience}`}>{t(`for.${audience}`)}</a>
                </li>
              ))}
            </ul>
            {groups.map((group) => (
              <section key={group.audience} id={group.audience} aria-labelledby={`${group.audience}-title`}>
                <h2 id={`${group.audience}-title`}>{t(`for.${group.audience}`)}</h2>
                <HelpLinks articles={group.articles} />
              </section>
            ))}
          </>
        )}
        <p className="help-foot">
          {t('missing')} <Link to={paths.contact}>{t('contact')}</Link>
        </p>
      </div>
    </SiteShell>
  );
}

function FoundArticles({ search, articles }: { search: string; articles: HelpCard[] }) {
  const { t } = useTranslation('help');
  const paths = useSitePaths();
  return (
    <>
      <p role="status" className="muted">
        {t(articles.length > 0 ? 'found' : 'nothing', { count: articles.length, search })}
      </p>
      <ul className="blog-list">
        {articles.map(({ slug, title, description, audience }) => (
          <li key={slug}>
            <h2>
              <Link to={`${paths.help}/${slug}`}>{title}</Link>
            </h2>
            <p>{description}</p>
            <p className="muted small">{t(`for.${audience}`)}</p>
          </li>
        ))}
      </ul>
      <p>
        <Link to={paths.help}>{t('all')}</Link>
      </p>
    </>
  );
}

export function HelpLinks({ articles }: { articles: HelpCard[] }) {
  const paths = useSitePaths();
  return (
    <ul className="help-list">
      {articles.map(({ slug, title }) => (
        <li key={slug}>
          <Link to={`${paths.help}/${slug}`}>{title}</Link>
        </li>
      ))}
    </ul>
  );
}
