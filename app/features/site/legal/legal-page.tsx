import { SiteShell } from '~/app/features/site/site/site-shell';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import type { LegalView } from './legal-page-data.server';

/** A legal text with the operator's details, and what the operator has not set. */
export function LegalPage({ view: { text, links } }: { view: LegalView }) {
  const { t, locale } = useTranslation('legal');
  const { t: tCommon } = useTranslation();
  const paths = usePaths();
  const { title, lead, updated, missing, headings, language } = text;
  const date = formatDate(new Date(`${updated}T00:00:00Z`), locale);
  return (
    <SiteShell links={links}>
      <div className="wrap">
        <article className="site-text legal-page">
          <h1 lang={language}>{title}</h1>
          <p className="lead" lang={language}>
            {lead}
          </p>
          <p className="small muted">{t('updated', { date })}</p>
          {missing.length > 0 && (
            <div className="notice">
              <p>{t('missing.title')}</p>
              <ul>
                {missing.map((fact) => (
                  <li key={fact}>{t(`missing.${fact}`)}</li>
                ))}
              </ul>
            </div>
          )}
          {headings.length > 1 && (
            <nav aria-label={t('contents')} lang={language}>
              <ul>
                {headings.map(({ id, text: heading }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{heading}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          {/* rendered from Markdown and sanitised by the server */}
          <div className="text-body" lang={language} dangerouslySetInnerHTML={{ __html: text.html }} />
          <p className="form-foot">
            <Link to={paths.contact}>{tCommon('footer.contact')}</Link>
          </p>
        </article>
      </div>
    </SiteShell>
  );
}
