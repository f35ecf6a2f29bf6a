import '~/app/styles/edition.css';
import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { data, redirect } from '@remix-run/node';
import { CreatorShell } from '~/app/features/site/public/creator-shell';
import { creatorsPage } from '~/app/features/site/public/creators-page.server';
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
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { ARCHIVE_PATH, archiveFeedPath } from '~/server/base/public-paths';

/** The editions of a creator's newsletter, the latest first. `?after=` continues the list. */
export const loader = creatorsPage(async ({ api, context, params, request, url }) => {
  const domain = domainOf(context, params.handle);
  if (domain === null) throw notFound();
  const found = await api.pages.creator({ domain });
  if (found.moved) throw redirect(urlsOnThisHost(request).creator);
  const after = url.searchParams.get('after') || undefined;
  const archive = await api.newsletter.archive({ domain, ...(after && { after }) });
  const { creator } = found;
  const { language } = context;
  const feed = context.urls.creator(domain, archiveFeedPath);
  const metadata = {
    title: translator(language, 'archive')('title', { name: archive.name }),
    description: archive.description,
    language,
    urls: localizedUrls(context, domain, ARCHIVE_PATH),
    image: null,
    audio: null,
    feed: { title: archive.name, url: feed, type: 'application/atom+xml' },
    isUnlisted: after !== undefined,
  };
  const { hasNewsletter: hasForm, tracksReaders } = creator;
  const view = { creator: toCreatorCard(creator), archive, metadata, feed, hasForm, tracksReaders };
  return data(view, cacheTags(creator, []));
});

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function NewsletterArchive() {
  const { t, locale } = useTranslation('archive');
  const { creator, archive, feed, hasForm, tracksReaders } = useLoaderData<typeof loader>();
  const paths = usePublicPaths();
  const { name, logo, items, after } = archive;
  return (
    <CreatorShell creator={creator} head={null}>
      <div className="archive">
        {logo && <img className="archive-logo" src={logo.webp[320]} alt="" width={96} height={96} />}
        <h1 dir="auto">{name}</h1>
        {archive.description && (
          <p className="lead" dir="auto">
            {archive.description}
          </p>
        )}
        <p className="archive-actions">
          {hasForm && (
            <Link className="button" to={paths.newsletterForm}>
              {t('join')}
            </Link>
          )}
          <a href={feed}>{t('feed')}</a>
        </p>
        {!tracksReaders && <p className="muted">{t('unwatched')}</p>}
        <ul className="archive-list">
          {items.map(({ slug, title, description, startedAt }) => (
            <li key={slug}>
              <h2>
                <Link to={paths.edition(slug)} dir="auto">
                  {title}
                </Link>
              </h2>
              {description && <p dir="auto">{description}</p>}
              <time dateTime={startedAt.toISOString()}>
                {formatDate(startedAt, locale, { dateStyle: 'long', timeZone: 'UTC' })}
              </time>
            </li>
          ))}
        </ul>
        {after !== null && <Link to={`?after=${after}`}>{t('older')}</Link>}
      </div>
    </CreatorShell>
  );
}
