import '~/app/styles/edition.css';
import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { data, redirect } from '@remix-run/node';
import { CreatorShell } from '~/app/features/site/public/creator-shell';
import { creatorsPage } from '~/app/features/site/public/creators-page.server';
import { NewsletterSection } from '~/app/features/site/public/newsletter-form';
import {
  cacheTags,
  domainOf,
  localizedUrls,
  toCreatorCard,
  urlsOnThisHost,
} from '~/app/features/site/public/page-data.server';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { notFound } from '~/app/features/site/site/not-found.server';
import { Link, useLoaderData } from '~/app/lib/router';
import { usePublicPaths } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { editionPath } from '~/server/base/public-paths';

/** One edition on the web, where "view in browser" leads: the part for everyone, and all of it for those who pay. */
export const loader = creatorsPage(async ({ api, context, params, request }) => {
  const domain = domainOf(context, params.handle);
  const { slug = '' } = params;
  if (domain === null) throw notFound();
  const found = await api.pages.creator({ domain });
  if (found.moved) throw redirect(urlsOnThisHost(request).creator);
  const edition = await api.newsletter.archived({ domain, slug });
  const { title, name, seoTitle, description, seoDescription, preheader, isInArchive } = edition;
  const metadata = {
    title: `${seoTitle || title} · ${name}`,
    description: seoDescription || description || preheader || title,
    language: context.language,
    urls: localizedUrls(context, domain, editionPath(slug)),
    image: null,
    audio: null,
    feed: null,
    isUnlisted: !isInArchive,
  };
  const { creator } = found;
  const view = {
    creator: toCreatorCard(creator),
    edition,
    metadata,
    hasForm: creator.hasNewsletter && !edition.getsNewsletter,
    tracksReaders: creator.tracksReaders,
  };
  return data(view, cacheTags(creator, []));
});

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function ArchivedEdition() {
  const { t, locale } = useTranslation('archive');
  const { creator, edition, hasForm, tracksReaders } = useLoaderData<typeof loader>();
  const paths = usePublicPaths();
  const { name, title, startedAt, language, html, earlier, later } = edition;
  return (
    <CreatorShell creator={creator} head={null} isReportable>
      <article className="edition" lang={language}>
        <p className="edition-name">
          <Link to={paths.archive} dir="auto">
            {name}
          </Link>{' '}
          <time dateTime={startedAt.toISOString()}>
            {formatDate(startedAt, locale, { dateStyle: 'long', timeZone: 'UTC' })}
          </time>
          {hasForm && <a href="#newsletter">{t('join')}</a>}
        </p>
        <h1 dir="auto">{title}</h1>
        {/* the server wrote it from blocks: no scripts, no styles, no foreign pictures */}
        <div className="edition-text" dangerouslySetInnerHTML={{ __html: html }} />
      </article>
      {(earlier || later) && (
        <nav className="edition-neighbours" aria-label={t('neighbours')}>
          {earlier && (
            <Link to={paths.edition(earlier.slug)} rel="prev">
              <span>{t('earlier')}</span>
              <bdi>{earlier.title}</bdi>
            </Link>
          )}
          {later && (
            <Link to={paths.edition(later.slug)} rel="next">
              <span>{t('later')}</span>
              <bdi>{later.title}</bdi>
            </Link>
          )}
        </nav>
      )}
      {hasForm && (
        <div className="edition-form">
          <NewsletterSection creator={creator.name} tracksReaders={tracksReaders} />
        </div>
      )}
      <aside className="edition-foot">
        <Link to={paths.archive}>{t('all')}</Link>
        {!tracksReaders && <p>{t('unwatched')}</p>}
      </aside>
    </CreatorShell>
  );
}
