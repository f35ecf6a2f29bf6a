import { DAYS, SECONDS } from '../base/time';
import { MEGABYTES } from './sizes';

/**
 * Apple accepts 4,000 bytes of a show's description and 10,000 of an episode's; longer notes go into content:encoded.
 */
export const FEED_LIMITS = {
  episodes: 10_000,
  showBytes: 4000,
  episodeBytes: 10_000,
  notesBytes: 100_000,
  /** In characters: PSP-1 limits every value; Podcasting 2.0 limits names, labels and podcast:txt. */
  length: { value: 255, name: 128, label: 32, txt: 4000 },
  soundbiteSeconds: { min: 15, max: 120 },
  /** Episodes that are read and written at once. */
  page: 500,
  /** Between a change and its announcement to the WebSub hub. */
  pingDelay: SECONDS(5),
  /** A larger feed is kept only as gzip and never whole in memory: about 1,500 episodes with long notes. */
  plainBytes: 4 * MEGABYTES,
} as const;

/** The check of a feed: episodes in one part, names in each finding, results that a process keeps. */
export const READINESS_LIMITS = { part: 100, named: 20, kept: 100 } as const;

/**
 * `tokenBytes`: 160 random bits in the address of a private feed, which can't be guessed. `listed`: feeds in the list
 * of a listener's shows. `latest` and `pages`: episodes on a page of "My feed", and its pages. `combined`:
 * episodes in the feed of all shows. `lookups`: feeds that one query looks up.
 * `templates`: bytes of the feeds that a process keeps, to fill them in for each listener; `writtenAtOnce`: templates
 * that are written at the same time. `compressedAfter`: so many gzip feeds are compressed as a whole before the parts of
 * their template are.
 */
export const PRIVATE_FEED_LIMITS = {
  tokenBytes: 20,
  listed: 200,
  latest: 12,
  pages: 50,
  combined: 500,
  lookups: 100,
  templates: 32 * MEGABYTES,
  writtenAtOnce: 8,
  compressedAfter: 30,
} as const;

/**
 * `linkLifetime`: how long the link works by which a visitor follows a show. `perWindow`: such emails to one address.
 */
export const FOLLOW_LIMITS = { linkLifetime: DAYS(2), perWindow: 5, window: DAYS(1) } as const;

/**
 * When a private feed counts as shared: the same episode was fetched from its beginning from `networks` networks within
 * a `day`, or from `networksOfApps` with `apps` different apps, or from `networksOfWeek` within the `window`. Five
 * people with one link use the network of their home and a few others, on different days; ten people who were given a
 * link are in ten homes, and most of their apps download on the first day. docs/decisions/0221 compares other numbers.
 * `grace`: the time that the listener has after the email to replace the link. `forgotten`: after this time, a finding
 * that did not happen again is dropped. `found`: links that one run processes. `shownFor`: how long the page with the
 * links shows the note.
 */
export const SHARING_LIMITS = {
  window: DAYS(7),
  day: DAYS(1),
  networks: 8,
  networksOfApps: 7,
  apps: 4,
  networksOfWeek: 12,
  grace: DAYS(7),
  forgotten: DAYS(60),
  found: 500,
  shownFor: DAYS(30),
} as const;
