import type { Chapter, Person } from '~/db/values/episodes';
import { type FeedItem, type FeedPreview, type ImportStatus, OPEN_STATUSES } from '~/db/values/rss-import';
import { webUrl } from '../../base/addresses';
import { cut } from '../../base/cut-text';
import type { AppError } from '../../base/errors';
import { isOutOfTime as isPastEnd, nextTry, type Tried } from '../../base/retries';
import { later } from '../../base/time';
import { CATEGORIES } from '../../feed/apple-categories';
import type { FeedCategory, FeedPerson } from '../../feed/model';
import type { ImportedEpisode, ImportedFeed, LogEntry, Loss, ParseResult } from '../../feed/reader/model';
import { CHAPTER_LIMITS, EPISODE_LIMITS } from '../../limits/episodes';
import { AUDIO_LIMITS } from '../../limits/media';
import { PRODUCT_LIMITS } from '../../limits/products';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import { isLanguageCode } from '../reference/rules';

/** A status that only a new import can follow. */
export function isFinal(status: ImportStatus): boolean {
  return !(OPEN_STATUSES as readonly ImportStatus[]).includes(status);
}

/** `julia@example.com` → `j***@example.com`: the user who starts an import need not know the address in the feed. */
export function maskAddress(email: string): string {
  return email.replace(/^(.).*(?=@)/u, '$1***');
}

/** The preview of a feed before its import. */
export function previewOf(feed: ImportedFeed, parsed: Pick<ParseResult, 'repairs' | 'losses'>): FeedPreview {
  const times = feed.episodes.flatMap(({ publishedAt }) => publishedAt?.getTime() ?? []);
  // a spread of 20,000 arguments would be too long
  const oldest = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const newest = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const written = (time: number) => (Number.isFinite(time) ? new Date(time).toISOString() : null);
  return {
    title: nameOfShow(feed),
    author: cut(feed.author, PRODUCT_LIMITS.authorLength),
    cover: feed.cover ? webUrl(feed.cover.url, IMPORT_LIMITS.urlLength) : null,
    description: cut(feed.description, PRODUCT_LIMITS.descriptionLength),
    language: languageOf(feed.language),
    episodes: feed.episodes.length,
    bytes: feed.episodes.reduce((sum, { audio }) => sum + statedBytes(audio.bytes), 0),
    oldest: written(oldest),
    newest: written(newest),
    isLocked: feed.locked,
    repairs: parsed.repairs,
    losses: parsed.losses.filter(({ kind }) => kind !== NOT_OURS),
  };
}

/** The URL in a user's input, which may have any scheme that apps use for feeds, or none. */
export function feedAddress(entered: string): string {
  const address = entered.trim().replace(/^(?:feed|pcast|itpc|podcast):(?:\/\/)?(?=https?:)/i, '');
  const written = address.replace(/^(?:feed|pcast|itpc|podcast|rss):\/\//i, 'https://');
  // a scheme, not the port of a host
  return /^[a-z][a-z\d+-]*:(?!\d)/i.test(written) ? written : `https://${written}`;
}

/** The host in a feed's address as a user writes it, by which visitors' requests are counted; '' without one. */
export function hostOfFeed(entered: string): string {
  const address = feedAddress(entered);
  return URL.canParse(address) ? new URL(address).hostname.replace(/\.$/, '') : '';
}

/** Tags for payments to the former host's services, which the import page does not mention. */
const NOT_OURS: Loss = 'payment_tags';

/** Whether another import may bring the content, because its host did not deliver it. */
export const isHostLoss = ({ kind }: LogEntry<Loss>): boolean =>
  kind === 'page_missing' || kind === 'cover_unavailable';

/** Feeds may state any size; sizes above the limit count as unknown. */
export function statedBytes(bytes: number): number {
  return Number.isSafeInteger(bytes) && bytes > 0 && bytes <= AUDIO_LIMITS.maxBytes ? bytes : 0;
}

const nameOfShow = ({ title, self }: ImportedFeed): string => cut(title, PRODUCT_LIMITS.nameLength) || cut(self, 100);

/** The show's fields in our format, without cover, prices and slug. `text`: its description as plain text. */
export function toShowFields(feed: ImportedFeed, text: string) {
  const [funding] = feed.funding ?? [];
  return {
    name: nameOfShow(feed) || 'Podcast',
    description: text.slice(0, PRODUCT_LIMITS.descriptionLength).trim() || nameOfShow(feed),
    category: categoryOf(feed.categories),
    language: languageOf(feed.language),
    author: cut(feed.author, PRODUCT_LIMITS.authorLength),
    copyright: cut(feed.copyright ?? '', PRODUCT_LIMITS.copyrightLength),
    fundingUrl: funding ? webUrl(funding.url, PRODUCT_LIMITS.urlLength) : null,
    fundingText: cut(funding?.text ?? '', PRODUCT_LIMITS.fundingTextLength),
    ownerName: cut(feed.ownerName ?? '', PRODUCT_LIMITS.authorLength),
    explicit: feed.explicit,
    complete: feed.complete ?? false,
  };
}

/** Apple's category with this name, or its parent. Without a known category: Society & Culture. */
export function categoryOf(categories: readonly FeedCategory[]): number {
  for (const { name, sub } of categories) {
    const parent = CATEGORIES.find((category) => category.parentId === null && category.name === name);
    const child = CATEGORIES.find((category) => category.parentId === parent?.id && category.name === sub);
    if (parent) return child?.id ?? parent.id;
  }
  return CATEGORIES.find(({ name }) => name === DEFAULT_CATEGORY)!.id;
}

const DEFAULT_CATEGORY = 'Society & Culture';

/** `es-MX` → `es`; English if the feed names no known language. */
export function languageOf(tag: string): string {
  const code = tag.toLowerCase().split(/[-_]/, 1)[0] ?? '';
  return isLanguageCode(code) ? code : 'en';
}

/**
 * The episode's fields in our format, without its audio. `undated`: the time for an episode without a date, which keeps
 * its place in the feed.
 */
export function toEpisodeFields(episode: FeedItem, { undated, isPrivate }: { undated: Date; isPrivate: boolean }) {
  const { type, season, number, description } = episode;
  return {
    name: cut(episode.title, EPISODE_LIMITS.nameLength) || episode.guid.slice(0, EPISODE_LIMITS.nameLength),
    description,
    type: isPrivate ? ('private' as const) : type === 'trailer' ? ('trailer' as const) : ('public' as const),
    releaseAt: episode.publishedAt ? new Date(episode.publishedAt) : undated,
    season: within(season, EPISODE_LIMITS.maxSeason),
    number: within(number, EPISODE_LIMITS.maxNumber),
    explicit: episode.explicit,
    people: (episode.persons ?? []).slice(0, EPISODE_LIMITS.people).flatMap(toPerson),
  };
}

/** The stored data of an episode in the feed until it is imported. */
export function toFeedItem(episode: ImportedEpisode): FeedItem {
  const { audio, publishedAt, guid, title, description, type, cover, season, number, explicit } = episode;
  const { persons, transcripts, chapters, marks } = episode;
  return {
    ...{ guid, title, description, type, cover, season, number, explicit },
    ...{ persons, transcripts, chapters, marks },
    audio: { ...audio, bytes: statedBytes(audio.bytes) },
    publishedAt: publishedAt?.toISOString() ?? null,
  };
}

function within(value: number | null | undefined, max: number): number | null {
  return Number.isInteger(value) && value! >= 1 && value! <= max ? value! : null;
}

/** Podcasting 2.0 has dozens of roles; ours are hosts and guests. */
function toPerson({ name, role = 'host', link }: FeedPerson): Person[] {
  const named = cut(name, EPISODE_LIMITS.personNameLength);
  if (!named) return [];
  const isHost = /host/i.test(role) && !/guest/i.test(role);
  return [
    { name: named, role: isHost ? 'host' : 'guest', url: link ? webUrl(link, EPISODE_LIMITS.personUrlLength) : null },
  ];
}

type StatedFile = { url: string; bytes: number };

/** Whether a feed names another file than before: by its length, and by its address if a length is unknown. */
export function isOtherAudio(former: StatedFile, now: StatedFile): boolean {
  if (former.bytes > 0 && now.bytes > 0) return former.bytes !== now.bytes;
  return pathOf(former.url) !== pathOf(now.url);
}

/** Ignores host and query: files move to other hosts, and addresses are signed again. */
export const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

type FoundChapter = { startMs: number; title: string; link?: string; image?: string };
/** `image`: the address of the picture at the other host. */
export type ImportedChapter = Omit<Chapter, 'imageKey'> & { image: string | null };

/** Chapters that can be stored: in order, one for each time. */
export function toChapters(found: readonly FoundChapter[]): ImportedChapter[] {
  const byTime = new Map<number, ImportedChapter>();
  for (const { startMs, title, link, image } of found) {
    const named = cut(title, CHAPTER_LIMITS.titleLength);
    const isUsable = Number.isSafeInteger(startMs) && startMs >= 0 && startMs < 7 * 24 * 3_600_000 && named !== '';
    const url = link ? webUrl(link, CHAPTER_LIMITS.urlLength) : null;
    const picture = image ? webUrl(image, CHAPTER_LIMITS.urlLength) : null;
    if (isUsable && !byTime.has(startMs)) byTime.set(startMs, { startMs, title: named, url, image: picture });
  }
  return [...byTime.values()].sort((a, b) => a.startMs - b.startMs).slice(0, CHAPTER_LIMITS.count);
}

/**
 * Reads a chapters file (application/json+chapters); null if it is not one. Hidden chapters (`toc: false`) are left out.
 */
export function parseChapterFile(bytes: Uint8Array): FoundChapter[] | null {
  try {
    const { chapters } = JSON.parse(new TextDecoder().decode(bytes)) as { chapters?: unknown };
    if (!Array.isArray(chapters)) return null;
    return chapters.slice(0, 10 * CHAPTER_LIMITS.count).flatMap((chapter: Record<string, unknown> | null) => {
      if (!chapter || chapter.toc === false || typeof chapter.title !== 'string') return [];
      const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
      const startMs = Math.round(Number(chapter.startTime) * 1000);
      return [{ startMs, title: chapter.title, link: text(chapter.url), image: text(chapter.img) }];
    });
  } catch {
    return null;
  }
}

/** Whether the feed contains the code as a `podcast:txt` for verification, or in the show's description. */
export function provesOwnership(feed: Pick<ImportedFeed, 'description' | 'texts'>, code: string): boolean {
  const isText = feed.texts?.some(({ purpose, text }) => purpose === 'verify' && text.trim() === code) ?? false;
  return isText || feed.description.includes(code);
}

/** A description without the codes of this and of earlier imports: only the proof needs them. */
export const withoutProofCodes = (text: string): string => text.replace(/\s*\baltavoz-[\da-f]{24}\b/g, '').trim();

/** When to try again after a fault; null if it is permanent, or if no attempt or no time is left. */
export const nextAttempt = (tried: Tried, error: AppError, now: Date): Date | null =>
  nextTry(tried, error, { now, limits: IMPORT_LIMITS });

/** Whether an import has ended by this time, at the latest. */
export const isOutOfTime = (run: Pick<Tried, 'startedAt'>, at: Date): boolean => isPastEnd(run, at, IMPORT_LIMITS);

/** Whether a run leaves its place to imports that wait. Follow-ups hold none. */
export const hasHadTurn = (
  { startedAt, isFollowUp }: { startedAt: Date | null; isFollowUp: boolean },
  at: Date,
): boolean => !isFollowUp && startedAt !== null && later(startedAt, IMPORT_LIMITS.turn) <= at;

/** Milliseconds until all bytes are copied at the current pace; null if unknown. */
export function timeLeft(elapsedMs: number, done: number, total: number): number | null {
  if (done <= 0 || elapsedMs <= 0 || total <= 0) return null;
  return Math.round((elapsedMs / done) * Math.max(0, total - done));
}
