import '~/app/styles/product.css';
import type { MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { withQrCodes } from '~/app/features/public/app-feeds.server';
import { FeedLinks } from '~/app/features/public/feed-links';
import { urlsFromApp } from '~/app/features/public/page-data.server';
import { notFound } from '~/app/features/site/not-found.server';
import { SiteShell } from '~/app/features/site/site-shell';
import { form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/** A listener's private feed of one show, with an address for each podcast app. */
export const loader = page(async ({ api, context, params, request, url }) => {
  if (!/^[1-9]\d{0,14}$/.test(params.productId ?? '')) throw notFound();
  const productId = Number(params.productId);
  const links = await api.feeds.privateLinks({ productId });
  const { name, slug, creator } = await api.feeds.heardShow({ productId });
  return {
    title: translator(context.language, 'follow')('links.title', { show: name }),
    feeds: await withQrCodes(links),
    pageUrl: urlsFromApp(context, request, creator.domain).product(slug),
    isReplaced: url.searchParams.has('replaced'),
  };
});

export const action = form(
  ({ api, params }, { app = '' }) =>
    api.feeds.replaceLink({ productId: Number(params.productId), app: app as 'other' }),
  { then: (_, { params, url }) => `${pathsFor(url).feedLinks(Number(params.productId))}?replaced` },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function PrivateFeedPage() {
  const { t } = useTranslation('follow');
  const { title, feeds, pageUrl, isReplaced } = useLoaderData<typeof loader>();
  const paths = usePaths();
  return (
    <SiteShell>
      <div className="wrap feed-page">
        <h1>{title}</h1>
        <p className="lead">{t('links.lead')}</p>
        {isReplaced && (
          <p className="notice" role="status">
            {t('links.replaced')}
          </p>
        )}
        <FeedLinks feeds={feeds} canReplace />
        <p className="form-foot actions">
          <Link to={paths.myFeed}>{t('links.back')}</Link>
          <a href={pageUrl}>{t('links.page')}</a>
        </p>
      </div>
    </SiteShell>
  );
}
