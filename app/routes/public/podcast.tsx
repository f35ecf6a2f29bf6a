import '~/app/styles/product.css';
import '~/app/styles/show.css';
import { data, type HeadersFunction, type MetaFunction } from '@remix-run/node';
import { AboutShow } from '~/app/features/site/public/about-show';
import { CreatorShell } from '~/app/features/site/public/creator-shell';
import { creatorsPage } from '~/app/features/site/public/creators-page.server';
import { type FollowAnswer, FollowBox } from '~/app/features/site/public/follow-box';
import { OfferCard } from '~/app/features/site/public/offer-card';
import { HEAD_END, PAINT_WITH_HEAD, pageMeta } from '~/app/features/site/public/page-meta';
import { ProductEpisodes } from '~/app/features/site/public/product-episodes';
import { ProductHead } from '~/app/features/site/public/product-head';
import { productPageData } from '~/app/features/site/public/product-page-data.server';
import { RecommendedShows } from '~/app/features/site/public/recommended-shows';
import { StayBar } from '~/app/features/site/public/stay-bar';
import { type Door, form } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { prefixOf, publicBaseOf, publicPathsIn } from '~/app/lib/site-paths';

/** The public page of a podcast or audio series, at `/p/:slug` of the creator's host. */
export const loader = creatorsPage(productPageData);

/** Following a free show: with an email address, or at once for users who are logged in. */
export const action = form(
  sectionAction<string | null>({
    async email({ api }, { email = '', productId = '' }) {
      await api.feeds.requestFollow({ email, productId });
      return email;
    },
    async follow({ api }, { productId = '' }) {
      await api.feeds.follow({ productId });
      return null;
    },
    async unfollow({ api }, { productId = '' }) {
      await api.feeds.unfollow({ productId });
      return null;
    },
  }),
  { then: (email, door) => (email === null ? pageOf(door) : (data({ ok: true as const, email }) as never)) },
);

function pageOf({ url: { pathname }, params }: Door): string {
  const path = publicPathsIn(prefixOf(pathname), publicBaseOf(pathname)).product(params.slug ?? '');
  return `${path}#follow`;
}

export { stayOffline as clientAction } from '~/app/lib/offline';
export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => [...pageMeta(data?.metadata), PAINT_WITH_HEAD];

export default function ProductPage() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>() as FollowAnswer;
  const { creator, product, offer, follow } = view;
  const hasSide = offer !== null || follow !== null;
  return (
    <CreatorShell creator={creator} head={null} isReportable>
      <div className={hasSide ? 'show has-side' : 'show'}>
        <ProductHead {...view} />
        <span id={HEAD_END} hidden />
        {hasSide && (
          <aside className="side">
            {offer && <OfferCard offer={offer} language={product.language} />}
            {follow && <FollowBox productId={product.id} isFollowed={follow.isFollowed} answer={answer} />}
          </aside>
        )}
        <div className="show-main">
          <AboutShow description={product.description} language={product.language} />
          <ProductEpisodes {...view} slug={product.slug} />
          <RecommendedShows shows={view.recommends} />
        </div>
      </div>
      <StayBar offer={offer} canFollow={follow !== null && !follow.isFollowed} />
    </CreatorShell>
  );
}
