import { AddressLink } from '~/app/components/address-link';
import { NextStep } from '~/app/features/site/marketing/next-step';
import { inLanguage } from '~/app/features/site/public/content-language';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { useTranslation } from '~/app/lib/translation';
import type { StoriesView } from './collection-data.server';

/** Stories of creators. Those of the demo's creators say that they are examples. */
export function StoriesPage({ view: { stories, links } }: { view: StoriesView }) {
  const { t } = useTranslation('pages');
  return (
    <SiteShell links={links}>
      <div className="wrap pricing">
        <h1>{t('stories.title')}</h1>
        <p className="lead">{t(stories.some(({ isExample }) => isExample) ? 'stories.examples' : 'stories.lead')}</p>
        {stories.length === 0 && <p className="muted">{t('stories.none')}</p>}
        {stories.map(({ slug, title, description, isExample, show, html }) => (
          <article key={slug} id={slug} className={show ? 'story with-show' : 'story'}>
            {show && (
              <AddressLink className="story-show" href={show.url}>
                <CoverPicture cover={show.cover} alt="" wide={252} onPhones={24} />
                <span {...inLanguage(show.language)}>{show.name}</span>
                <span className="muted small">
                  <bdi>{show.creator}</bdi> · {show.price}
                </span>
              </AddressLink>
            )}
            <div>
              {isExample && <p className="example-mark">{t('stories.example')}</p>}
              <h2>{title}</h2>
              <p className="lead">{description}</p>
              {/* rendered from Markdown and sanitised by the server */}
              <div className="text-body" dangerouslySetInnerHTML={{ __html: html }} />
            </div>
          </article>
        ))}
        <section className="closing">
          <h2>{t('stories.yours')}</h2>
          <NextStep />
        </section>
      </div>
    </SiteShell>
  );
}
