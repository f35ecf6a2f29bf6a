import { sitePageMetadata } from '~/app/features/site/blog/text-metadata.server';
import { siteLinks } from '~/app/features/site/marketing/site-links.server';
import { qrCodeOf } from '~/app/features/site/public/qr-code.server';
import type { Door } from '~/app/lib/doors.server';
import { pathsIn } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { ALL_SHOWS } from '~/server/base/public-paths';
import { FEED_APP_NAMES } from '~/server/domain/feeds/kinds';
import { appsOn, DEVICES } from './taps';

/** A name of a list; null for anything else, so that the page asks again. */
const oneOf = <Name extends string>(names: readonly Name[], text: string | null): Name | null =>
  names.find((name) => name === text) ?? null;

/** The show whose feed is added: its ID, or null for the feed of all shows; undefined if the page does not know one. */
function showIn(text: string | null): number | null | undefined {
  if (text === ALL_SHOWS) return null;
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : undefined;
}

/**
 * The choices so far. With a show, the feed of the listener who is logged in, with its address for the chosen app.
 * @throws an unauthenticated error for a show without a login
 */
export async function podcatcherData(door: Door) {
  const { api, context, url } = door;
  const { language } = context;
  const query = url.searchParams;
  const device = oneOf(DEVICES, query.get('device'));
  const app = oneOf(device ? appsOn(device) : FEED_APP_NAMES, query.get('app'));
  const productId = showIn(query.get('show'));
  const t = translator(language, 'podcatcher');
  const show = productId ? await api.feeds.heardShow({ productId }) : null;
  const links = productId === undefined ? [] : await api.feeds.privateLinks({ productId });
  const link = links.find((each) => each.app === app);
  const described = { title: t('title'), description: t('description') };
  const metadata = {
    ...(await sitePageMetadata(door, { ...described, pathIn: (prefix) => pathsIn(prefix).podcatcher() })),
    isUnlisted: url.search !== '',
  };
  return {
    device,
    app,
    show: query.get('show') && productId !== undefined ? { id: productId, name: show?.name ?? null } : null,
    feed: link ? { url: link.url, qr: await qrCodeOf(link.url) } : null,
    links: siteLinks(door),
    metadata,
  };
}

export type Podcatcher = Awaited<ReturnType<typeof podcatcherData>>;
