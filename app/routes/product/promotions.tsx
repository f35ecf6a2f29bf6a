import { TabLead } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { ImportNotice } from '~/app/features/studio/episode/import-notice';
import { PromoEditor } from '~/app/features/studio/episode/promo-editor';
import { PromoList } from '~/app/features/studio/episode/promo-list';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { useIsEditor } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** The promos of a product's episodes. The query contains the episode that gets a promo, and the page of the list. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const ref = productRef(door);
  const [chosen, pageNumber] = [Number(url.searchParams.get('episode')), Number(url.searchParams.get('page'))];
  const list = {
    kind: ref.kind,
    productId: ref.id,
    page: pageNumber > 0 ? Math.min(100_000, Math.floor(pageNumber)) : 1,
  };
  const [product, episodes, episode] = await Promise.all([
    api.products.forEditing(ref),
    api.episodes.list(list),
    Number.isSafeInteger(chosen) && chosen > 0 ? api.episodes.forEditing({ id: chosen, kind: ref.kind }) : null,
  ]);
  const title = `${translator(context.language, 'episode')('promo.title')} · ${product.name}`;
  return { title, product, episodes, episode };
});

export const action = form(
  async (door, values) => {
    const product = productRef(door);
    const ref = { id: Number(values.episodeId), kind: product.kind };
    const { episodes } = door.api;
    const { startMs = '', endMs = '', promoKey = '' } = values;
    if (values.intent === 'delete') await episodes.removePromo(ref);
    else if (values.intent === 'upload') await episodes.update({ ...ref, promoKey });
    else await episodes.cutPromo({ ...ref, startMs, endMs });
    return { product, done: values.intent === 'delete' ? 'promo_deleted' : 'promo_saved' };
  },
  { then: ({ product, done }, { url }) => withDoneMessage(pathsFor(url).promotions(product), done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Promotions() {
  const { t } = useTranslation('episode');
  const { product, episodes, episode } = useLoaderData<typeof loader>();
  const isEditor = useIsEditor();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <TabLead title={t('promo.title')}>{t('promo.help')}</TabLead>
      <ImportNotice />
      {episode?.url && isEditor && <PromoEditor key={episode.id} episode={episode} failure={failure} />}
      <PromoList product={product} episodes={episodes.items} />
      <Pager {...episodes} />
    </>
  );
}
