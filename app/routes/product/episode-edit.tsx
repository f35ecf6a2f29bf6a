import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { EDIT_REQUIRED, EpisodeForm } from '~/app/features/episode/episode-form';
import { chosenRelease } from '~/app/features/episode/episode-texts';
import { episodeRef, productRef } from '~/app/features/product/product-door';
import { withDone } from '~/app/features/studio/done';
import { PageHead } from '~/app/features/studio/page-head';
import { titled } from '~/app/features/studio/titled';
import { inputOf } from '~/app/lib/check-form';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/i18n.server';
import { pathsIn, prefixOf, usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { updateEpisode } from '~/server/domain/episodes/schema';

export const loader = page(async (door) => {
  const { api, context } = door;
  const [product, episode] = await Promise.all([
    api.products.forEditing(productRef(door)),
    api.episodes.forEditing(episodeRef(door)),
  ]);
  return {
    title: `${translator(context.language, 'episode')('edit.title')}: ${episode.name}`,
    product: { ...product, isFree: product.priceMinor === null },
    episode: { ...episode, picture: episode.cover.webp[640] },
    pageUrl: context.urls.product(product.creator.domain, product.slug),
  };
});

export const action = form(
  (door, values) => {
    const { id, kind } = episodeRef(door);
    const input = inputOf(updateEpisode, { ...values, id: String(id), kind }, EDIT_REQUIRED);
    const releaseDate = chosenRelease(values);
    return door.api.episodes.update(releaseDate === undefined ? input : { ...input, releaseDate });
  },
  { then: (episode, { url }) => withDone(pathsIn(prefixOf(url.pathname)).episode(episode), 'episode_saved') },
);

export const meta = titled;

export default function EditEpisode() {
  const { t } = useTranslation('episode');
  const { product, episode, pageUrl } = useLoaderData<typeof loader>();
  const refusal = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <PageHead title={t('edit.title')} back={<Link to={paths.episode(episode)}>{episode.name}</Link>} />
      <EpisodeForm key={episode.id} product={product} episode={episode} pageUrl={pageUrl} refusal={refusal} />
    </>
  );
}
