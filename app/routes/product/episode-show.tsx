import { Alert } from '@mantine/core';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { EpisodeActs } from '~/app/features/episode/episode-acts';
import { EpisodeDetail } from '~/app/features/episode/episode-detail';
import { useSettling } from '~/app/features/episode/use-settling';
import { episodeRef } from '~/app/features/product/product-door';
import { withDone } from '~/app/features/studio/done';
import { PageHead } from '~/app/features/studio/page-head';
import { titled } from '~/app/features/studio/titled';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsIn, prefixOf, usePaths } from '~/app/lib/paths';

export const loader = page(async (door) => {
  const episode = await door.api.episodes.forEditing(episodeRef(door));
  const { creator, product, slug } = episode;
  return { title: episode.name, episode, pageUrl: door.context.urls.episode(creator.domain, product.slug, slug) };
});

/** Publishes now, holds back, or removes. */
export const action = form(
  async (door, { intent }) => {
    const ref = episodeRef(door);
    if (intent === 'release') return { done: 'episode_published', episode: await door.api.episodes.release(ref) };
    if (intent === 'hold') return { done: 'episode_unpublished', episode: await door.api.episodes.hold(ref) };
    const episode = await door.api.episodes.forEditing(ref);
    if (intent === 'remove') await door.api.episodes.remove(ref);
    return { done: intent === 'remove' ? 'episode_deleted' : '', episode };
  },
  {
    then: ({ done, episode }, { url }) => {
      const paths = pathsIn(prefixOf(url.pathname));
      const gone = done === 'episode_deleted';
      return withDone(
        gone ? paths.product({ id: episode.productId, kind: episode.kind }) : paths.episode(episode),
        done,
      );
    },
  },
);

export const meta = titled;

export default function ShowEpisode() {
  const { episode, pageUrl } = useLoaderData<typeof loader>();
  const refusal = useActionData<FormFailure>();
  const paths = usePaths();
  useSettling(episode.status === 'in_progress');
  const product = { id: episode.productId, kind: episode.kind };
  return (
    <>
      <PageHead
        title={episode.name}
        back={<Link to={paths.product(product)}>{episode.product.name}</Link>}
        action={<EpisodeActs episode={episode} pageUrl={pageUrl} />}
      />
      {refusal?.message && (
        <Alert color="red" variant="light" role="alert" mb={24}>
          {refusal.message}
        </Alert>
      )}
      <EpisodeDetail episode={episode} />
    </>
  );
}
