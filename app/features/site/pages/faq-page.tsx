import { SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useSitePaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import type { FaqView } from './collection-data.server';

/** Questions by topic. A link to a question leads into its answer, so that browsers open it. */
export function FaqPage({ view: { topics, links } }: { view: FaqView }) {
  const { t } = useTranslation('pages');
  const paths = useSitePaths();
  return (
    <SiteShell links={links}>
      <div className="wrap faq">
        <h1>{t('faq.title')}</h1>
        <p className="lead">{t('faq.lead')}</p>
        <nav aria-label={t('faq.topics')}>
          <ul className="blog-tags">
            {topics.map(({ id, topic }) => (
              <li key={id}>
                <a href={`#${id}`}>{topic}</a>
              </li>
            ))}
          </ul>
        </nav>
        {topics.map(({ id, topic, questions }) => (
          <section key={id} aria-labelledby={id}>
            <h2 id={id}>{topic}</h2>
            <div className="questions">
              {questions.map(({ slug, question, html }) => (
                <details key={slug}>
                  <summary>{question}</summary>
                  {/* rendered from Markdown and sanitised by the server */}
                  <div id={slug} className="answer" dangerouslySetInnerHTML={{ __html: html }} />
                </details>
              ))}
            </div>
          </section>
        ))}
        <section className="closing">
          <h2>{t('faq.other')}</h2>
          <p className="actions">
            <Link className="button" to={paths.contact}>
              {t('faq.ask')}
            </Link>
          </p>
        </section>
      </div>
    </SiteShell>
  );
}
