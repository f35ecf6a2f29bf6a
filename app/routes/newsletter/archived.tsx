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
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';
import { editionPath } from '~/server/base/public-paths';

/** One edition on the web: the part for everyone, where "view in browser" leads. */
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
  const view = { creator: toCreatorCard(creator), edition, metadata, hasForm: creator.hasNewsletter };
  return data(view, cacheTags(creator, []));
});

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function ArchivedEdition() {
  const { t, locale } = useTranslation('archive');
  const { creator, edition, hasForm } = useLoaderData<typeof loader>();
  const paths = usePublicPaths();
  const { name, title, startedAt, language, html } = edition;
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
        </p>
        <h1 dir="auto">{title}</h1>
        {/* the server wrote it from blocks: no scripts, no styles, no foreign pictures */}
        <div className="edition-text" dangerouslySetInnerHTML={{ __html: html }} />
      </article>
      <aside className="edition-foot">
        {hasForm && (
          <Link className="button" to={paths.newsletterForm}>
            {t('join')}
          </Link>
        )}
        <Link to={paths.archive}>{t('all')}</Link>
        <p>{t('unwatched')}</p>
      </aside>
    </CreatorShell>
  );
}
