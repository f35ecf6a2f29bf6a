import type { ShareSite } from '~/app/lib/share-sites';
import type { FeedApp } from '~/server/domain/feeds/kinds';
import tiles from './tiles.svg';

/**
 * A coloured tile, beside or above the name of an app or a site. One file has all tiles, each in a view of its own, and
 * a closed dialog loads none. Drawn by us, because pages load nothing from other sites.
 */
export function TileIcon({ name }: { name: FeedApp | ShareSite }) {
  return <img className="tile" src={`${tiles}#${name}`} alt="" width={40} height={40} loading="lazy" />;
}
