import type { AppLoadContext } from '@remix-run/node';
import { embedCode, embedFrame, FIRST_CHOICE } from '~/app/lib/embed-code';
import { translator } from '~/app/lib/texts.server';
import type { FeedInApps } from './listen-in-app';
import type { PageMetadata } from './page-meta';
import { qrCodeOf } from './qr-code.server';
import type { Shared } from './share';

/** What the dialog that shares a page has, without the episode's ID. */
export type SharedPage = Omit<Shared, 'episodeId'>;

type Page = { name: string; type: 'episode' | 'product'; metadata: PageMetadata };

/** The player's code has the first choices of the studio's section. */
export async function sharedPage({ language }: AppLoadContext, page: Page): Promise<SharedPage> {
  const { name, type, metadata } = page;
  const url = metadata.urls['x-default'];
  const frame = metadata.embed?.frame && embedFrame(metadata.embed.frame.url, type, FIRST_CHOICE);
  const title = translator(language, 'embed')('code.frame', { name });
  return { url, name, embedCode: frame ? embedCode(frame, title) : null, qr: await qrCodeOf(url) };
}

/** What the dialog for podcast apps has; null for a show without a public feed. */
export async function feedInApps(feedUrl: string | null): Promise<FeedInApps | null> {
  return feedUrl === null ? null : { feedUrl, qr: await qrCodeOf(feedUrl) };
}
