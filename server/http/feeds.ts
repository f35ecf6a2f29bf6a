import { publicFeed } from '../domain/pages/public-feed';
import { AppError } from '../errors';
import { streamFeed } from '../feed/writer/write-feed';
import { translate } from '../messages';
import type { Runtime } from '../runtime';
import { bufferFeed } from './buffer-feed';
import type { Rendered } from './cached-answer';

/** Podcast apps ask again anyway; a cache in front may keep a feed as long as ours keeps it. */
const KEPT = 'public, max-age=0, s-maxage=60';
/** A moved feed stays moved, but an app should ask again now and then. */
const MOVED = 'public, max-age=3600';

/**
 * Renders a product's public feed for the page cache, as its episodes come from the database; former domains and slugs
 * answer 301 to the present address.
 */
export async function renderFeed(
  runtime: Pick<Runtime, 'db' | 'urls'>,
  domain: string,
  slug: string,
): Promise<Rendered> {
  const found = await publicFeed(runtime, { domain, slug }).catch(asMissing);
  if (!found) return plain(404, translate('en', 'errors:product.not_found'));
  if ('movedTo' in found) return plain(301, found.movedTo, { location: found.movedTo, 'cache-control': MOVED });
  const headers = {
    'content-type': 'application/rss+xml; charset=utf-8',
    'cache-control': KEPT,
    'last-modified': found.show.changedAt.toUTCString(),
    vary: 'accept-encoding',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'surrogate-key': found.tags.join(' '),
  };
  return { status: 200, headers, ...(await bufferFeed(streamFeed(found.show, found.pages))), tags: found.tags };
}

function asMissing(error: unknown): null {
  if (error instanceof AppError && error.kind === 'not_found') return null;
  throw error;
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Rendered {
  const body = Buffer.from(`${text}\n`);
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body,
    tags: [],
  };
}
