import { data } from '@remix-run/node';
import { soundbiteTrackId, type Track } from '~/app/features/listener/player/state';
import { notFound } from '~/app/features/site/site/not-found.server';
import type { Door } from '~/app/lib/doors.server';
import { momentFragment, soundbitePagePath } from '~/server/base/public-paths';
import {
  cacheTags,
  domainOf,
  localizedUrls,
  redirectToMoved,
  toCreatorCard,
  toProductCard,
  trackOf,
  urlsOnThisHost,
} from './page-data.server';
import type { PageMetadata } from './page-meta';
import { sharedPage } from './shared-page.server';

const DESCRIPTION = 160;

/** The data of a soundbite's page. */
export async function soundbitePageData({ api, context, params, request }: Door) {
  const domain = domainOf(context, params.handle);
  if (domain === null) throw notFound();
  const { slug = '', episodeSlug = '', soundbiteId = '' } = params;
  if (!/^[1-9]\d{0,14}$/.test(soundbiteId)) throw notFound();
  const result = await api.pages.soundbite({ domain, slug, episodeSlug, id: Number(soundbiteId) });
  if (result.moved) throw redirectToMoved(context, request, result.moved);
  const { creator, product, episode, soundbite, shareImage } = result;
  const title = `${soundbite.title} · ${product.name}`;
  const said = soundbite.captions.map(({ text }) => text).join(' ');
  const metadata: PageMetadata = {
    title,
    description: (said || `${episode.name} · ${product.name}`).slice(0, DESCRIPTION),
    language: context.language,
    urls: localizedUrls(context, creator.domain, soundbitePagePath(product.slug, episode.slug, soundbite.id)),
    image: { url: shareImage, alt: title, isWide: true },
    audio: context.urls.app(soundbite.audio),
    feed: null,
  };
  const urls = urlsOnThisHost(request);
  const track: Track = {
    ...trackOf(episode, urls),
    id: soundbiteTrackId(soundbite.id),
    url: soundbite.audio,
    episodeName: soundbite.title,
  };
  const view = {
    metadata,
    share: await sharedPage(context, { name: soundbite.title, type: 'episode', metadata }),
    creator: toCreatorCard(creator),
    product: toProductCard(product),
    episode: {
      name: episode.name,
      cover: episode.cover,
      path: urls.episode(product.slug, episode.slug) + momentFragment(episode.id, Math.floor(soundbite.startMs / 1000)),
    },
    soundbite,
    track,
    /** Set if only the team sees the page. */
    unpublished: episode.status === 'published' ? null : episode.status,
  };
  return data(view, cacheTags(creator, [product]));
}
