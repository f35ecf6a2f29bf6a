import { TabLead } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { ImportNotice } from '~/app/features/studio/episode/import-notice';
import { PromoList } from '~/app/features/studio/episode/promo-list';
import { withDoneMessage } from '~/app/lib/done-message';
import { form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The promos of a product's episodes. The query contains the page of the list. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const ref = productRef(door);
  const pageNumber = Number(url.searchParams.get('page'));
  const list = {
    kind: ref.kind,
    productId: ref.id,
    page: pageNumber > 0 ? Math.min(100_000, Math.floor(pageNumber)) : 1,
  };
  const [product, episodes] = await Promise.all([api.products.forEditing(ref), api.episodes.list(list)]);
  const title = `${translator(context.language, 'episode')('promo.title')} · ${product.name}`;
  return { title, product, episodes };
});

/** Deletes the promo of one episode. */
export const action = form(
  async (door, { episodeId }) => {
    const product = productRef(door);
    await door.api.episodes.removePromo({ id: Number(episodeId), kind: product.kind });
    return product;
  },
  { then: (product, { url }) => withDoneMessage(pathsFor(url).promotions(product), 'promo_deleted') },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Promotions() {
  const { t } = useTranslation('episode');
  const { product, episodes } = useLoaderData<typeof loader>();
  return (
    <>
      <TabLead title={t('promo.title')}>{t(product.isFree ? 'promo.helpFree' : 'promo.help')}</TabLead>
      <ImportNotice />
      <PromoList product={product} episodes={episodes.items} />
      <Pager {...episodes} />
    </>
  );
}
