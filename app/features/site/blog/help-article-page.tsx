import { type LinkGroup, SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import type { Language } from '~/locales/languages';
import { type HelpCard, HelpLinks } from './help-page';

type Article = HelpCard & { html: string; language: Language; related: HelpCard[] };

/** How one task is done, and other tasks of the same readers. */
export function HelpArticlePage({ links, article }: { links: LinkGroup[]; article: Article }) {
  const { t } = useTranslation('help');
  const paths = useSitePaths();
  const { title, description, audience, html, language, related } = article;
  return (
    <SiteShell links={links}>
      <div className="wrap">
        <article className="site-text">
          <nav aria-label={t('place')} className="help-place small">
            <Link to={paths.help}>{t('title')}</Link> /{' '}
            <Link to={`${paths.help}#${audience}`}>{t(`for.${audience}`)}</Link>
          </nav>
          <h1 lang={language}>{title}</h1>
          <p className="lead" lang={language}>
            {description}
          </p>
          {/* rendered from Markdown and sanitised by the server */}
          <div className="text-body help-steps" lang={language} dangerouslySetInnerHTML={{ __html: html }} />
          <p className="help-foot">
            {t('stuck')} <Link to={paths.contact}>{t('contact')}</Link>
          </p>
        </article>
        {related.length > 0 && (
          <section className="blog-related" aria-labelledby="related">
            <h2 id="related">{t('related')}</h2>
            <HelpLinks articles={related} />
          </section>
        )}
      </div>
    </SiteShell>
  );
}
