import { eq, inArray, type SQL } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { products } from '~/db/schema/products';
import type { Language } from '~/locales/languages';
import { escapeHtml } from '../../base/html';
import { languagePrefix, MY_FEED_PATH } from '../../base/public-paths';
import { deriveFeedGuid } from '../../feed/guids';
import type { FeedEpisode, FeedShow } from '../../feed/model';
import { PRIVATE_FEED_LIMITS } from '../../limits/feeds';
import type { Ctx } from '../../runtime/ctx';
import { coverUrls } from '../media/rules';
import { episodeOf, type FeedContents, listFeedEpisodes, type Owner, withAccess } from './queries';

type Reads = Pick<Ctx, 'db' | 'urls' | 'translate'>;
type Reader = { self: string; name: string; access(episodeId: number): string; where(): SQL };

/**
 * The newest episodes of all shows that a listener can hear, in one feed. Each episode carries the name and cover of
 * its show.
 */
export async function readCombinedFeed(
  ctx: Reads,
  { ids, language }: { ids: number[]; language: Language },
  reader: Reader,
): Promise<FeedContents> {
  const owners = await listOwners(ctx, ids);
  const show = {
    ...allShows(ctx, language, reader),
    explicit: owners.some(({ product }) => product.explicit),
    changedAt: new Date(Math.max(...owners.map(({ product }) => product.changedAt.getTime()))),
  };
  return { show, pages: combinedPages(ctx, owners, reader) };
}

function listOwners({ db }: Pick<Ctx, 'db'>, ids: number[]): Promise<Owner[]> {
  return db
    .select({ product: products, creator: creators })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(inArray(products.id, ids));
}

async function* combinedPages(ctx: Reads, owners: Owner[], reader: Reader): AsyncGenerator<FeedEpisode[], void> {
  const byId = new Map(owners.map((owner) => [owner.product.id, owner]));
  const part = { size: PRIVATE_FEED_LIMITS.combined, where: reader.where(), door: 'private_feed' as const };
  const rows = await listFeedEpisodes(ctx, [...byId.keys()], part);
  yield rows.map((row) => {
    const owner = byId.get(row.productId)!;
    return ofShow(ctx, owner, episodeOf(withAccess(ctx, row.id, reader), owner, row));
  });
}

/** Episode numbers are left out: apps would mix episodes of different shows by number. */
function ofShow({ urls }: Reads, { product, creator }: Owner, episode: FeedEpisode): FeedEpisode {
  return {
    ...episode,
    season: null,
    number: null,
    title: `${product.name}: ${episode.title}`,
    author: product.author || creator.name,
    cover: episode.cover ?? urls.media(coverUrls(product.coverKey).jpg),
  };
}

/** The combined feed presented as a show, in the listener's language. */
export function allShows(
  { urls, translate }: Pick<Reads, 'urls' | 'translate'>,
  language: Language,
  { self, name }: Pick<Reader, 'self' | 'name'>,
): FeedShow {
  return {
    title: translate('content:combined_feed.title', { name }, language),
    description: `<p>${escapeHtml(translate('content:combined_feed.description', {}, language))}</p>`,
    link: urls.app(languagePrefix(language) + MY_FEED_PATH),
    self,
    language,
    author: 'Altavoz',
    cover: { url: urls.app('/icon-512.png') },
    categories: [{ name: 'Society & Culture' }],
    explicit: false,
    order: 'episodic',
    guid: deriveFeedGuid(self),
    locked: true,
    hidden: true,
    changedAt: new Date(0),
  };
}
