import { Figures } from '~/app/features/studio/product/show-figures';
import { ShowHead } from '~/app/features/studio/product/show-head';
import { ShowTabs } from '~/app/features/studio/product/show-tabs';
import { page } from '~/app/lib/doors.server';
import { productRef } from '~/app/lib/route-refs';
import { Outlet, useLoaderData } from '~/app/lib/router';
import { roleMay } from '~/server/policy/roles';

/** The head of a show and the tabs to its parts. */
export const loader = page(async (door) => {
  const { api, context } = door;
  const ref = productRef(door);
  const [product, { role }] = await Promise.all([api.products.forEditing(ref), api.accounts.me()]);
  const showsMoney = !product.isFree && roleMay(role, 'product.readBuyers');
  const [plays, revenue] = await Promise.all([
    api.listening.playsOfShow(ref),
    showsMoney ? api.buyers.revenue(ref) : null,
  ]);
  const { domain } = product.creator;
  return {
    product,
    figures: { plays: plays.listens + plays.downloads, revenue },
    pageUrl: context.urls.product(domain, product.slug),
    feedUrl: context.urls.feed(domain, product.slug),
  };
});

export { needsHead as shouldRevalidate } from '~/app/features/studio/product/needs-head';

export default function ShowLayout() {
  const { product, figures, pageUrl, feedUrl } = useLoaderData<typeof loader>();
  return (
    <>
      <ShowHead product={product} pageUrl={pageUrl} feedUrl={feedUrl} />
      <Figures product={product} figures={figures} />
      <ShowTabs product={product} />
      <Outlet />
    </>
  );
}
