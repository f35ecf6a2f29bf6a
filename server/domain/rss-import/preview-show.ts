import { randomBytes } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { feedPreviews } from '~/db/schema/rss-import';
import type { ShowPreview } from '~/db/values/rss-import';
import { hashToken } from '../../auth/token-hash';
import { cut } from '../../base/cut-text';
import { AppError } from '../../base/errors';
import { later, wholeSeconds } from '../../base/time';
import type { ImportedEpisode } from '../../feed/reader/model';
import { createPlaces } from '../../flow/slots';
import { PRODUCT_LIMITS } from '../../limits/products';
import { SHOW_PREVIEW_LIMITS as LIMITS } from '../../limits/rss-import';
import type { Ctx } from '../../runtime/ctx';
import { plainDescription } from './clean-notes';
import { previewBusy, previewExpired, previewTooSlow } from './errors';
import { newestFirst, toPreviewedItem } from './poll-outcomes';
import { previewCover } from './preview-cover';
import { readFirstPage } from './read-feed';
import { feedAddress, hostOfFeed, previewOf } from './rules';
import type { OpenShowPreview, PreviewFeed } from './schema';

const TOKEN_BYTES = 32;
const withPlace = createPlaces({
  total: LIMITS.atOnce,
  perKey: LIMITS.perHost,
  busy: () => previewBusy({ seconds: wholeSeconds(LIMITS.wholeMs) }),
});

/**
 * Reads a feed for a visitor, who need not have an account, and keeps what they see of it for a day. Publishes nothing
 * and sends nothing. Faults of the host are of the kind 'invalid', because a wrong address is no error of this server.
 * Like all errors about the address, they name its field.
 * @throws fetch.*, import.not_a_feed, import.no_episodes, import.preview_*
 */
export async function previewShow(ctx: Ctx, input: PreviewFeed): Promise<{ token: string }> {
  const feedUrl = feedAddress(input.url);
  const host = hostOfFeed(input.url);
  const preview = await withPlace(host, () => withDeadline(host, (signal) => readPreview(ctx, feedUrl, signal)));
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const row = { tokenHash: hashToken(token), feedUrl, preview, expiresAt: later(ctx.now(), LIMITS.kept) };
  await ctx.db.insert(feedPreviews).values(row);
  return { token };
}

/** Ends all work for the host after `wholeMs`, and what is left of it once the result is there. */
async function withDeadline<T>(host: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const tooSlow = previewTooSlow({ host });
  const timer = setTimeout(() => stop.abort(tooSlow), LIMITS.wholeMs);
  try {
    return await work(stop.signal);
  } catch (err) {
    if (!(err instanceof AppError) || !(err.kind === 'upstream' || err.code.startsWith('fetch.'))) throw err;
    throw new AppError(err.code, err.kind === 'upstream' ? 'invalid' : err.kind, 'url', err.params);
  } finally {
    clearTimeout(timer);
    // otherwise, the request for a slow cover would continue
    stop.abort(tooSlow);
  }
}

async function readPreview(ctx: Ctx, url: string, signal: AbortSignal): Promise<ShowPreview> {
  const { bytes: maxBytes, items } = LIMITS;
  const { feed, parsed, hasMore } = await readFirstPage(ctx, url, { signal, maxBytes, items });
  const found = previewOf(feed, parsed);
  const cover = { signal, width: LIMITS.coverWidth, maxBytes: LIMITS.coverBytes };
  const picture = found.cover && (await previewCover(ctx, found.cover, cover));
  const latest = newestFirst(feed.episodes).slice(0, LIMITS.episodes);
  return {
    ...found,
    picture: picture && picture.length <= LIMITS.shownCoverBytes ? picture : null,
    description: await plainText(feed.description, PRODUCT_LIMITS.descriptionLength),
    isPartial: hasMore,
    latest: await Promise.all(latest.map(toShownItem)),
  };
}

const toShownItem = async (episode: ImportedEpisode): Promise<ShowPreview['latest'][number]> => ({
  ...toPreviewedItem(episode),
  notes: cut(await plainText(episode.description, LIMITS.notesLength), LIMITS.notesLength),
});

/** Markup is several times as long as its text. */
const MARKUP_PER_TEXT = 8;

async function plainText(html: string, length: number): Promise<string> {
  const text = await plainDescription(html.slice(0, MARKUP_PER_TEXT * length), length);
  return text.slice(0, length).toWellFormed();
}

export type OpenedShowPreview = { url: string; expiresAt: Date; preview: ShowPreview };

/** What the page of a preview shows. @throws import.preview_expired */
export async function openShowPreview(ctx: Ctx, { token }: OpenShowPreview): Promise<OpenedShowPreview> {
  const isKept = and(eq(feedPreviews.tokenHash, hashToken(token)), gt(feedPreviews.expiresAt, ctx.now()));
  const [found] = await ctx.db.select().from(feedPreviews).where(isKept);
  if (!found) throw previewExpired();
  return { url: found.feedUrl, expiresAt: found.expiresAt, preview: found.preview };
}
