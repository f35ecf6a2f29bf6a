import { FeedField } from '~/app/features/site/marketing/feed-field';
import { type LinkGroup, SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { HostGuide } from './host-guides-data.server';

const COMES = ['show', 'audio', 'guids', 'extras', 'later'] as const;
const STAYS = ['statistics', 'followers', 'paid', 'ads'] as const;

/** The steps of a move from one host, which end in our import. */
export function HostGuidePage({ links, guide }: { links: LinkGroup[]; guide: HostGuide }) {
  const { t } = useTranslation('arrival');
  const { title, description, html, language, name, checkedOn, sources, paths } = guide;
  return (
    <SiteShell links={links}>
      <div className="wrap">
        <article className="site-text">
          <p className="small">
            <Link to={paths.hosts}>{t('hosts.title')}</Link>
          </p>
          <h1 lang={language}>{title}</h1>
          <p className="lead" lang={language}>
            {description}
          </p>
          <p className="muted small">{t('guide.checked', { date: checkedOn })}</p>
          {/* rendered from Markdown and sanitised by the server */}
          <div className="text-body" lang={language} dangerouslySetInnerHTML={{ __html: html }} />
          <div className="text-body">
            <h2>{t('comes.title')}</h2>
            <ul>
              {COMES.map((what) => (
                <li key={what}>{t(`comes.${what}`)}</li>
              ))}
            </ul>
            <h2>{t('stays.title')}</h2>
            <ul>
              {STAYS.map((what) => (
                <li key={what}>{t(`stays.${what}`)}</li>
              ))}
            </ul>
            <p>{t('guide.order')}</p>
            <h2 id="import">{t('guide.import')}</h2>
            <p>{t('guide.importText')}</p>
          </div>
          <ImportFeed paths={paths} />
          <Sources name={name} sources={sources} />
        </article>
      </div>
    </SiteShell>
  );
}

/** Leads to the import with the address in its form, or to the preview, which needs no account. */
function ImportFeed({ paths }: Pick<HostGuide, 'paths'>) {
  const { t } = useTranslation('arrival');
  const { t: tPaste } = useTranslation('marketing');
  return (
    <form method="get" action={paths.importFeed} className="form">
      <FeedField />
      <div className="actions">
        <button className="button" type="submit">
          {t('guide.start')}
        </button>
        <button className="button plain" type="submit" formMethod="post" formAction={paths.feedPreview}>
          {tPaste('paste.submit')}
        </button>
      </div>
    </form>
  );
}

function Sources({ name, sources }: Pick<HostGuide, 'name' | 'sources'>) {
  const { t } = useTranslation('arrival');
  return (
    <div className="text-body">
      <h2>{t('guide.sources')}</h2>
      {sources.length === 0 && <p>{t('guide.noSources', { name })}</p>}
      <ul>
        {sources.map(({ text, to }) => (
          <li key={to}>
            <a href={to} rel="nofollow">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
