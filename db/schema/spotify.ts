import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import {
  SPOTIFY_SHOW_STATES,
  type SpotifyLinkState,
  type SpotifyService,
  type SpotifyShowState,
} from '../values/spotify';
import { users } from './accounts';
import { products } from './products';

/** The account of a listener or a creator at Spotify (docs/decisions/0371). No token is stored. */
export const spotifyLinks = pgTable(
  'spotify_links',
  {
    userId: ref('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The user's id for Spotify: lower-case hexadecimal digits of a keyed hash. */
    partnerUserId: text('partner_user_id').notNull(),
    /** A keyed hash of the account's id at Spotify; null when it is not linked. */
    accountKey: text('account_key'),
    /** The name that the person has at Spotify, to recognise the account. */
    accountName: text('account_name'),
    state: text('state').$type<SpotifyLinkState>().notNull(),
    /** When Spotify accepted the link. */
    registeredAt: instant('registered_at'),
    /** What Spotify was told last, and when. */
    entitlements: jsonb('entitlements').$type<string[]>().notNull().default([]),
    syncedAt: instant('synced_at'),
    /** For when a job waits: the first end of the listener's grants. */
    endsAt: instant('ends_at'),
    /** Until then, one process talks to Spotify about this user. */
    leasedUntil: instant('leased_until'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('spotify_links_partner_user_once').on(t.partnerUserId),
    // a Spotify account belongs to one user, and so to one creator (spec §6)
    uniqueIndex('spotify_links_account_once').on(t.accountKey),
    check('spotify_links_state', sql`${t.state} in ('linking', 'linked', 'unlinked')`),
  ],
);

/** Shows that their creators have published on Spotify. */
export const spotifyShows = pgTable(
  'spotify_shows',
  {
    id: id(),
    productId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    state: text('state').$type<SpotifyShowState>().notNull(),
    /** `spotify:show:…`, once Spotify has the feed. */
    spotifyUri: text('spotify_uri'),
    /** The hash of the secret in the feed's address, and the secret, encrypted for its creator or the next delivery. */
    tokenHash: text('token_hash').notNull(),
    sealedToken: text('sealed_token').notNull(),
    /** As Spotify states them: its statuses are not documented. */
    remoteStatus: text('remote_status'),
    remoteStatusText: text('remote_status_text'),
    problems: jsonb('problems').$type<string[]>().notNull().default([]),
    /** The code of our error for Spotify's last refusal. */
    failure: text('failure'),
    activatedAt: instant('activated_at').notNull(),
    checkedAt: instant('checked_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('spotify_shows_product_once').on(t.productId),
    uniqueIndex('spotify_shows_token_once').on(t.tokenHash),
    index('spotify_shows_to_check')
      .on(t.checkedAt)
      .where(sql`${t.state} in ('submitted', 'rejected', 'unknown', 'live')`),
    check(
      'spotify_shows_state',
      sql`${t.state} in (${sql.raw(SPOTIFY_SHOW_STATES.map((name) => `'${name}'`).join(', '))})`,
    ),
  ],
);

/** Services of Spotify that fail now; a service that answers has no row (docs/decisions/0381). */
export const spotifyOutages = pgTable(
  'spotify_outages',
  {
    service: text('service').$type<SpotifyService>().primaryKey(),
    /** Calls that have failed in a row. */
    failures: integer('failures').notNull(),
    /** Until then, no job calls the service; null while too few calls have failed. */
    retryAt: instant('retry_at'),
    ...timestamps(),
  },
  (t) => [check('spotify_outages_service', sql`${t.service} in ('open_access', 'delivery')`)],
);
