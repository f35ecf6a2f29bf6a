import '~/app/styles/product.css';
import { data, type HeadersFunction, type MetaFunction } from '@remix-run/node';
import { inLanguage } from '~/app/features/site/public/content-language';
import { CreatorShell } from '~/app/features/site/public/creator-shell';
import { creatorsPage } from '~/app/features/site/public/creators-page.server';
import { type FollowAnswer, FollowBox } from '~/app/features/site/public/follow-box';
import { LinkedText } from '~/app/features/site/public/linked-text';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { ProductEpisodes } from '~/app/features/site/public/product-episodes';
import { ProductHead } from '~/app/features/site/public/product-head';
import { productPageData } from '~/app/features/site/public/product-page-data.server';
import { StayBar } from '~/app/features/site/public/stay-bar';
import { type Door, form } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { prefixOf, publicBaseOf, publicPathsIn } from '~/app/lib/site-paths';
import { useTranslation } from '~/app/lib/translation';

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
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function ProductPage() {
  const { t } = useTranslation('public');
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>() as FollowAnswer;
  const { creator, product, price, follow } = view;
  return (
    <CreatorShell creator={creator} head={<ProductHead {...view} />} isReportable>
      <div className="columns section">
        <aside className="side">
          {follow && <FollowBox productId={product.id} isFollowed={follow.isFollowed} answer={answer} />}
          <div>
            <h2>{t('about')}</h2>
            <p className="prose about" {...inLanguage(product.language)}>
              <LinkedText parts={product.description} />
            </p>
          </div>
        </aside>
        <ProductEpisodes {...view} slug={product.slug} />
      </div>
      <StayBar price={price} canFollow={follow !== null && !follow.isFollowed} />
    </CreatorShell>
  );
}
