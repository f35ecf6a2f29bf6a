import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { AppError, ERROR_KINDS } from '../../base/errors';
import { translate } from '../../base/messages';
import { publicFeed } from '../../domain/pages/public-feed';
import { streamFeed } from '../../feed/writer/write-feed';
import { bufferFeed } from '../../http/caches/buffer-feed';
import type { Rendered } from '../../http/caches/cached-response';
import { NO_PAGE_HEADERS } from '../../http/security';
import type { Runtime } from '../../runtime/runtime';

/** Podcast apps revalidate anyway. A shared cache may keep a feed as long as ours does. */
const CACHED = 'public, max-age=0, s-maxage=60';
/** A move is permanent, but apps should check the old address once an hour. */
const MOVED = 'public, max-age=3600';

/** Browsers show the feed with our style sheet. */
const STYLED = `${NO_PAGE_HEADERS['content-security-policy']}; style-src 'self'`;

/**
 * `page`: the page of a feed that the creator has limited. `stays`: the feed itself is requested, although it has moved
 * to another host. `isMarked`: the request came through the redirect of the former host.
 */
export type FeedAddress = { domain: string; slug: string; page?: number; stays?: boolean; isMarked?: boolean };

/**
 * Renders a product's public feed for the page cache. Former domains and slugs redirect (301) to the current address, and
 * feeds that have moved to another host redirect there.
 */
export async function renderFeed(
  runtime: Pick<Runtime, 'db' | 'urls' | 'settings' | 'now'>,
  address: FeedAddress,
): Promise<Rendered> {
  const found = await publicFeed(runtime, address).catch(missingAnswer);
  if ('status' in found) return found;
  if ('movedTo' in found) return movedAnswer(found);
  const headers = {
    // browsers show application/rss+xml as plain text, without its style sheet
    'content-type': 'application/xml; charset=utf-8',
    'cache-control': CACHED,
    'last-modified': found.show.changedAt.toUTCString(),
    vary: 'accept-encoding',
    'access-control-allow-origin': '*',
    ...NO_PAGE_HEADERS,
    'content-security-policy': STYLED,
    'surrogate-key': found.tags.join(' '),
  };
  return { status: 200, headers, ...(await bufferFeed(streamFeed(found.show, found.pages))), tags: found.tags };
}

function movedAnswer({ movedTo, isReversible }: { movedTo: string; isReversible: boolean }): Rendered {
  return plainText(301, movedTo, { location: movedTo, 'cache-control': isReversible ? 'no-cache' : MOVED });
}

/** 410 makes podcast apps give up; they keep asking after 404. */
function missingAnswer(error: unknown): Rendered {
  if (!(error instanceof AppError && (error.kind === 'not_found' || error.kind === 'expired'))) throw error;
  return plainText(ERROR_KINDS[error.kind].status, translate(DEFAULT_LANGUAGE, `errors:${error.code}`, error.params));
}

function plainText(status: number, text: string, headers: Record<string, string> = {}): Rendered {
  const body = Buffer.from(`${text}\n`);
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      ...NO_PAGE_HEADERS,
      ...headers,
    },
    body,
    tags: [],
  };
}
