import { EpisodeHead } from '~/app/features/studio/episode/episode-head';
import { EpisodeTabs } from '~/app/features/studio/episode/episode-tabs';
import { page } from '~/app/lib/doors.server';
import { episodeRef } from '~/app/lib/route-refs';
import { Outlet, useLoaderData } from '~/app/lib/router';

/** The head of an episode and the tabs to its parts. */
export const loader = page(async (door) => {
  const { api, context } = door;
  const ref = episodeRef(door);
  const episode = await api.episodes.forEditing(ref);
  const [plays] = await api.listening.plays({ episodeIds: [episode.id] });
  const { creator, product, slug } = episode;
  return {
    episode,
    figures: { listens: plays?.listens ?? 0, downloads: plays?.downloads ?? 0 },
    pageUrl: context.urls.episode(creator.domain, product.slug, slug),
  };
});

export { needsHead as shouldRevalidate } from '~/app/features/studio/product/needs-head';

export default function EpisodeLayout() {
  const { episode, figures, pageUrl } = useLoaderData<typeof loader>();
  return (
    <>
      <EpisodeHead key={episode.id} episode={episode} figures={figures} pageUrl={pageUrl} />
      <EpisodeTabs episode={episode} />
      <Outlet />
    </>
  );
}
