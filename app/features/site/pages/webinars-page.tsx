import { SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import type { WebinarsView } from './collection-data.server';

/** The next webinars and past ones; without any, the page says so. */
export function WebinarsPage({ view: { webinars, resources, links } }: { view: WebinarsView }) {
  const { t, locale } = useTranslation('pages');
  return (
    <SiteShell links={links}>
      <div className="wrap">
        <article className="site-text">
          <h1>{t('webinars.title')}</h1>
          <p className="lead">{t(webinars.length > 0 ? 'webinars.lead' : 'webinars.none')}</p>
          {webinars.map(({ slug, title, description, date, minutes, to, html, isPast }) => (
            <section key={slug} id={slug} className="webinar">
              <h2>{title}</h2>
              <p className="muted small">
                <time dateTime={date}>
                  {formatDate(new Date(`${date}T00:00:00Z`), locale, { dateStyle: 'long', timeZone: 'UTC' })}
                </time>
                {' · '}
                {t('webinars.minutes', { count: minutes })}
              </p>
              <p>{description}</p>
              {/* rendered from Markdown and sanitised by the server */}
              <div className="text-body" dangerouslySetInnerHTML={{ __html: html }} />
              <p>
                <a href={to}>{t(isPast ? 'webinars.recording' : 'webinars.signUp')}</a>
              </p>
            </section>
          ))}
          <p className="actions">
            <Link className={webinars.length > 0 ? 'button plain' : 'button'} to={resources}>
              {t('webinars.resources')}
            </Link>
          </p>
        </article>
      </div>
    </SiteShell>
  );
}
