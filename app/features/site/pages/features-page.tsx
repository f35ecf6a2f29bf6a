import { ClosingStep } from '~/app/features/site/marketing/closing-step';
import { NextStep } from '~/app/features/site/marketing/next-step';
import { Example } from '~/app/features/site/marketing/pricing-page';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { useTranslation } from '~/app/lib/translation';
import type { FeaturesView } from './named-page-data.server';

/** What Altavoz does, one section for each task, and what a sale leaves. */
export function FeaturesPage({ view: { page, links, example, takesPayments } }: { view: FeaturesView }) {
  const { t } = useTranslation('pricing');
  const { t: tPages } = useTranslation('pages');
  const { title, description, headings, sections, language } = page;
  return (
    <SiteShell links={links}>
      <div className="wrap pricing">
        <h1 lang={language}>{title}</h1>
        <p className="lead" lang={language}>
          {description}
        </p>
        {!takesPayments && <p className="notice">{t('noPayments')}</p>}
        <NextStep />
        <nav className="page-parts" aria-label={tPages('parts')}>
          <ul className="blog-tags" lang={language}>
            {headings.map(({ id, text }) => (
              <li key={id}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div lang={language}>
          {sections.map((html) => (
            // rendered from Markdown and sanitised by the server
            <section key={html} className="text-body feature" dangerouslySetInnerHTML={{ __html: html }} />
          ))}
        </div>
        {example && <Example example={example} />}
        <ClosingStep title={t('closing')} />
      </div>
    </SiteShell>
  );
}
