import type { FeedApp } from '~/server/domain/feeds/kinds';
import type { AppFeed } from './feed-links';
import { qrCodeOf } from './qr-code.server';

/** Adds the QR code of each address. */
export function withQrCodes(links: { app: FeedApp; url: string }[]): Promise<AppFeed[]> {
  return Promise.all(links.map(async ({ app, url }) => ({ app, url, qr: await qrCodeOf(url) })));
}
