import { FEED_APPS, type FeedApp } from '~/server/domain/feeds/kinds';
import type { AppFeed } from './feed-links';
import { qrCodeOf } from './qr-code.server';

type Link = { app: FeedApp; url: string };

/** Adds the QR code of each address. The apps of the visitor's phone come first, other phones' apps last. */
export function withQrCodes(links: Link[], request: Request): Promise<AppFeed[]> {
  const own = phoneOf(request.headers.get('user-agent') ?? '');
  const rank = ({ app }: Link) => (FEED_APPS[app].os === null ? 1 : FEED_APPS[app].os === own ? 0 : 2);
  const sorted = own ? links.toSorted((a, b) => rank(a) - rank(b)) : links;
  return Promise.all(sorted.map(async (link) => ({ ...link, qr: await qrCodeOf(link.url) })));
}

/** Null for computers. */
function phoneOf(userAgent: string): 'ios' | 'android' | null {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  return userAgent.includes('Android') ? 'android' : null;
}
