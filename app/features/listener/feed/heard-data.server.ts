import { type ApiEpisode, toListedEpisode, urlsFromApp } from '~/app/features/site/public/page-data.server';
import { notFound } from '~/app/features/site/site/not-found.server';
import type { Door } from '~/app/lib/doors.server';
import { searchedWords } from '~/app/lib/searched-words';

/** `seconds`: where the listener stopped, on any device. */
type Progress = { seconds: number; isPlayed: boolean };
export type HeardEpisode = ReturnType<typeof toHeardEpisode> & Progress;
export type HeardData = Awaited<ReturnType<typeof heardData>>;

/**
 * The episodes that a listener has started, and a page of the newest ones of their shows.
 * @param languages the language tag of each show, by its id
 */
export async function heardData(door: Door, languages: Map<number, string>) {
  const { api, url } = door;
  const search = searchedWords(url.searchParams);
  const [unfinished, found] = await Promise.all([api.listening.unfinished(), listEpisodes(door, search)]);
  const progress = await api.listening.progress({ episodeIds: found.items.map(({ id }) => id) });
  const unheard = { seconds: 0, isPlayed: false };
  const toHeard = (episode: ApiEpisode, { seconds, isPlayed }: Progress) => {
    const language = languages.get(episode.productId) ?? '';
    return { ...toHeardEpisode(door, episode, language), seconds, isPlayed };
  };
  return {
    search,
    page: found.page,
    hasMore: found.hasMore,
    unfinished: unfinished.map((episode) => toHeard(episode, { ...episode, isPlayed: false })),
    episodes: found.items.map((episode) => toHeard(episode, progress[episode.id] ?? unheard)),
  };
}

/** @throws a 404 response if the schema rejects the page or the words */
async function listEpisodes({ api, context, url }: Door, search: string) {
  const page = url.searchParams.get('page') ?? '';
  try {
    return await api.feeds.episodes({ page, search: search || undefined });
  } catch (error) {
    throw context.describeError(error).kind === 'invalid' ? notFound() : error;
  }
}

function toHeardEpisode({ context, request }: Door, episode: ApiEpisode, language: string) {
  const urls = urlsFromApp(context, request, episode.creator.domain);
  const { product, cover, slug } = episode;
  const listed = { ...toListedEpisode(episode, language, urls), excerpt: '' };
  return { ...listed, cover, show: product.name, url: urls.episode(product.slug, slug) };
}
