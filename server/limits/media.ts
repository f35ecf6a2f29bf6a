import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';
import { SHARE_SIZE } from './embeds';
import { MEGABYTES } from './sizes';

/**
 * `statedBytes`: the limit that texts state, 300 MB. Files may have 300 MiB, because some systems show that as 300 MB.
 */
export const AUDIO_LIMITS = { statedBytes: 300 * MEGABYTES, maxBytes: 300 * 1024 * 1024 } as const;

export const COVER_LIMITS = {
  maxBytes: 10 * MEGABYTES,
  recommendedPixels: 3000,
  /** For avatars, and for pictures in audio files, which only our own pages need. */
  minPixels: 300,
  /** A decoded pixel takes up to eight bytes of memory. */
  megapixels: 25,
  /** For covers of shows and episodes: Apple Podcasts rejects smaller ones. */
  coverMinPixels: 1400,
} as const;

/**
 * `grace`: an upload that starts just before its ticket expires has this long to finish. `nameLength`: length of a
 * file's name, in characters. `pictures`: uploads of one account in `lifetime`. Plans limit audio, but not pictures.
 */
export const UPLOAD_LIMITS = {
  lifetime: DAYS(1),
  grace: HOURS(1),
  openTickets: 20,
  nameLength: 255,
  pictures: 300,
} as const;

/** Uploads and imports are rejected below this reserve: Postgres does not recover by itself from a full disk. */
export const FREE_SPACE_LIMITS = { reserve: 1000 * MEGABYTES } as const;

/**
 * Spec §5: at most 30 seconds. Encoders add up to four frames of silence, which are not counted against it.
 */
export const PROMO_LIMITS = {
  longestMs: SECONDS(30),
  paddingMs: 120,
  shortestMs: SECONDS(1),
  maxBytes: 10 * MEGABYTES,
} as const;

/** Clips of campaigns: at most five minutes, which take 12 MB at the highest bit rate; the rest is for pictures. */
export const CLIP_FILE_LIMITS = {
  longestMs: MINUTES(5),
  paddingMs: 120,
  shortestMs: SECONDS(1),
  maxBytes: 20 * MEGABYTES,
} as const;

/** A stored file is deleted if no row refers to it so long after it was stored. */
export const NEW_FILE_LIMITS = { unusedFor: HOURS(1) } as const;

/**
 * Files that FFmpeg converts to MP3. Five hours at 128 kbit/s take 288 MB. `timeoutMs`: until FFmpeg has opened the
 * file.
 */
export const CONVERSION_LIMITS = {
  maxBytes: AUDIO_LIMITS.maxBytes,
  maxDurationMs: HOURS(5),
  hours: 5,
  timeoutMs: MINUTES(1),
  testTimeoutMs: SECONDS(20),
  pictureBytes: COVER_LIMITS.maxBytes,
} as const;

/**
 * The layout of the pictures of link previews. `characters`: length of a name; `waiting`: pictures that wait to be
 * drawn, one after the other.
 */
export const SHARE_IMAGE = { ...SHARE_SIZE, cover: 470, margin: 80, gap: 28, characters: 160, waiting: 20 } as const;

/** The pictures of the site's own pages for link previews. `cacheBytes`: drawn pictures that a process keeps. */
export const SITE_PICTURE = { ...SHARE_SIZE, margin: 80, cacheBytes: 16 * MEGABYTES } as const;
