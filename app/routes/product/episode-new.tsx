import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { EpisodeForm, NEW_REQUIRED } from '~/app/features/episode/episode-form';
import { chosenRelease } from '~/app/features/episode/episode-texts';
import { productRef } from '~/app/features/product/product-door';
import { withDone } from '~/app/features/studio/done';
import { PageHead } from '~/app/features/studio/page-head';
import { titled } from '~/app/features/studio/titled';
import { inputOf } from '~/app/lib/check-form';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/i18n.server';
import { pathsIn, prefixOf, usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { createEpisode } from '~/server/domain/episodes/schema';

export const loader = page(async (door) => {
  const product = await door.api.products.forEditing(productRef(door));
  return {
    title: `${translator(door.context.language, 'episode')('create.title')} · ${product.name}`,
    product: { ...product, isFree: product.priceMinor === null },
    pageUrl: door.context.urls.product(product.creator.domain, product.slug),
  };
});

export const action = form(
  (door, values) => {
    const { id, kind } = productRef(door);
    const input = inputOf(createEpisode, { ...values, kind, productId: String(id) }, NEW_REQUIRED);
    return door.api.episodes.create({ ...input, releaseDate: chosenRelease(values) });
  },
  { then: (episode, { url }) => withDone(pathsIn(prefixOf(url.pathname)).episode(episode), 'episode_created') },
);

export const meta = titled;

export default function NewEpisode() {
  const { t } = useTranslation('episode');
  const { product, pageUrl } = useLoaderData<typeof loader>();
  const refusal = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <PageHead title={t('create.title')} back={<Link to={paths.product(product)}>{product.name}</Link>} />
      <EpisodeForm key={product.id} product={product} episode={null} pageUrl={pageUrl} refusal={refusal} />
    </>
  );
}
