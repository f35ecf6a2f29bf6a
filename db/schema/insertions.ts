import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { ErrorParams } from '~/server/base/errors';
import { id, instant, ref, timestamps } from '../columns';
import {
  CAMPAIGN_KINDS,
  type CampaignKind,
  CLIP_ORIGINS,
  CLIP_STATES,
  type ClipOrigin,
  type ClipState,
  EPISODE_SELECTIONS,
  type EpisodeSelection,
  PLACES,
  type Place,
  POINT_ORIGINS,
  type PointOrigin,
  SLOT_RULES,
  type SlotRule,
} from '../values/insertions';
import { creators } from './creators';
import { episodes } from './episodes';
import { products } from './products';

const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));
const day = (name: string) => date(name, { mode: 'string' });
const creatorId = () =>
  ref('creator_id')
    .notNull()
    .references(() => creators.id, { onDelete: 'cascade' });
const productId = () =>
  ref('product_id')
    .notNull()
    .references(() => products.id, { onDelete: 'cascade' });
const episodeId = () =>
  ref('episode_id')
    .notNull()
    .references(() => episodes.id, { onDelete: 'cascade' });

/** A sound that a creator inserts into episodes. Campaigns share it. */
export const clips = pgTable(
  'clips',
  {
    id: id(),
    creatorId: creatorId(),
    name: text('name').notNull(),
    origin: text('origin').$type<ClipOrigin>().notNull(),
    /** The uploaded file, which makes one clip only; null for a cut. */
    uploadKey: text('upload_key'),
    status: text('status').$type<ClipState>().notNull(),
    /** Error code: why its file was refused. */
    failureReason: text('failure_reason'),
    failureParams: jsonb('failure_params').$type<ErrorParams>().notNull().default({}),
    audioKey: text('audio_key'),
    audioBytes: integer('audio_bytes'),
    durationMs: integer('duration_ms'),
    /** Deleted from the list. The files stay for as long as somebody may still be listening to them. */
    deletedAt: instant('deleted_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('clips_upload_once').on(t.uploadKey),
    index('clips_of_creator').on(t.creatorId, t.id),
    index('clips_deleted').on(t.deletedAt).where(sql`${t.deletedAt} is not null`),
    check('clips_origin', sql`${t.origin} in (${oneOf(CLIP_ORIGINS)})`),
    check('clips_status', sql`${t.status} in (${oneOf(CLIP_STATES)})`),
  ],
);

/** A clip in the encoding and at the loudness of some episodes. A row never changes once it is ready. */
export const clipVersions = pgTable(
  'clip_versions',
  {
    id: id(),
    clipId: ref('clip_id')
      .notNull()
      .references(() => clips.id, { onDelete: 'cascade' }),
    /** MPEG version, sample rate, channels and bit rate, as in `1/44100/2/128000`. */
    encoding: text('encoding').notNull(),
    /** In whole LUFS; 0 for episodes whose loudness is not known. */
    loudness: integer('loudness').notNull(),
    status: text('status').$type<ClipState>().notNull(),
    failureReason: text('failure_reason'),
    audioKey: text('audio_key'),
    audioBytes: integer('audio_bytes'),
    audioSha256: text('audio_sha256'),
    durationMs: integer('duration_ms'),
    /** When its conversion was enqueued; null while others of its creator come first. */
    enqueuedAt: instant('enqueued_at'),
    /** Made for a format of the creator's shows before anything needs it. */
    isForeseen: boolean('is_foreseen').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('clip_versions_once').on(t.clipId, t.encoding, t.loudness),
    index('clip_versions_waiting').on(t.clipId, t.id).where(sql`${t.status} = 'in_progress'`),
    check('clip_versions_status', sql`${t.status} in (${oneOf(CLIP_STATES)})`),
  ],
);

/** What plays in a place of a show's episodes, from day to day. */
export const insertionCampaigns = pgTable(
  'insertion_campaigns',
  {
    id: id(),
    creatorId: creatorId(),
    productId: productId(),
    kind: text('kind').$type<CampaignKind>().notNull(),
    name: text('name').notNull(),
    /** Not a draft: everything that it needs was there when it was saved. */
    isComplete: boolean('is_complete').notNull(),
    /** The creator's switch. */
    isActive: boolean('is_active').notNull(),
    place: text('place').$type<Place>().notNull(),
    /** Of a mid-roll: which one, from 1; 0 for the other places. */
    number: integer('number').notNull(),
    selection: text('selection').$type<EpisodeSelection>().notNull(),
    /** Of the selections by day: episodes released before it, or from it on, in the creator's time zone. */
    selectionDay: day('selection_day'),
    /** In the creator's time zone, both included; null for a fallback, and for a campaign without an end. */
    firstDay: day('first_day'),
    lastDay: day('last_day'),
    /** Where several campaigns meet: the lowest comes first. */
    rank: integer('rank').notNull(),
    inPublicFeed: boolean('in_public_feed').notNull(),
    inPrivateFeeds: boolean('in_private_feeds').notNull(),
    inWebPlayer: boolean('in_web_player').notNull(),
    /** ISO 3166 codes; empty for everywhere. */
    countries: jsonb('countries').$type<string[]>().notNull().default([]),
    /** Silence around the clip, in milliseconds. */
    silenceBeforeMs: integer('silence_before_ms').notNull().default(0),
    silenceAfterMs: integer('silence_after_ms').notNull().default(0),
    /** The most impressions; null for no limit. */
    cap: integer('cap'),
    /** Whether the rest of the cap is spread over the rest of the days. */
    isPaced: boolean('is_paced').notNull().default(false),
    /** Impressions counted, and downloads that have begun and may still become impressions. Together never above `cap`. */
    impressions: integer('impressions').notNull().default(0),
    reserved: integer('reserved').notNull().default(0),
    /** Error code: why it can't run. */
    failureReason: text('failure_reason'),
    /** When it was ended before its last day: by the creator, or because the plan no longer includes insertions. */
    endedAt: instant('ended_at'),
    deletedAt: instant('deleted_at'),
    ...timestamps(),
  },
  (t) => [
    index('insertion_campaigns_of_product').on(t.productId, t.id),
    index('insertion_campaigns_of_creator').on(t.creatorId, t.id),
    check('insertion_campaigns_kind', sql`${t.kind} in (${oneOf(CAMPAIGN_KINDS)})`),
    check('insertion_campaigns_place', sql`${t.place} in (${oneOf(PLACES)})`),
    check('insertion_campaigns_selection', sql`${t.selection} in (${oneOf(EPISODE_SELECTIONS)})`),
    check('insertion_campaigns_cap', sql`${t.cap} is null or ${t.impressions} + ${t.reserved} <= ${t.cap}`),
  ],
);

/** The clips of a campaign, which take turns. */
export const campaignClips = pgTable(
  'campaign_clips',
  {
    campaignId: ref('campaign_id')
      .notNull()
      .references(() => insertionCampaigns.id, { onDelete: 'cascade' }),
    clipId: ref('clip_id')
      .notNull()
      .references(() => clips.id),
    rank: integer('rank').notNull(),
  },
  (t) => [primaryKey({ columns: [t.campaignId, t.clipId] }), index('campaign_clips_of_clip').on(t.clipId)],
);

/** The chosen episodes of a campaign with that selection. */
export const campaignEpisodes = pgTable(
  'campaign_episodes',
  {
    campaignId: ref('campaign_id')
      .notNull()
      .references(() => insertionCampaigns.id, { onDelete: 'cascade' }),
    episodeId: episodeId(),
  },
  (t) => [primaryKey({ columns: [t.campaignId, t.episodeId] }), index('campaign_episodes_of_episode').on(t.episodeId)],
);

/** The mid-rolls of an episode. Their numbers follow their times. */
export const insertionPoints = pgTable(
  'insertion_points',
  {
    id: id(),
    episodeId: episodeId(),
    /** In milliseconds of the episode's own file. */
    atMs: integer('at_ms').notNull(),
    /** The file in which it was marked: with another one, somebody should look at it. */
    audioKey: text('audio_key'),
    origin: text('origin').$type<PointOrigin>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('insertion_points_once').on(t.episodeId, t.atMs),
    check('insertion_points_origin', sql`${t.origin} in (${oneOf(POINT_ORIGINS)})`),
  ],
);

/** The template of a show: where its episodes get a point without anybody marking it. */
export const insertionSlots = pgTable(
  'insertion_slots',
  {
    productId: productId(),
    rule: text('rule').$type<SlotRule>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.productId, t.rule] }),
    check('insertion_slots_rule', sql`${t.rule} in (${oneOf(SLOT_RULES)})`),
  ],
);

/** Passages of an episode that listeners get otherwise, or not at all. */
export const replacedPassages = pgTable(
  'replaced_passages',
  {
    id: id(),
    creatorId: creatorId(),
    episodeId: episodeId(),
    fromMs: integer('from_ms').notNull(),
    toMs: integer('to_ms').notNull(),
    /** The file in which it was marked, and in which alone it is replaced; null: in any. */
    audioKey: text('audio_key'),
    /** Null: by nothing. */
    clipId: ref('clip_id').references(() => clips.id),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('replaced_passages_of_episode').on(t.episodeId, t.fromMs),
    index('replaced_passages_of_creator').on(t.creatorId, t.id),
    index('replaced_passages_of_clip').on(t.clipId),
    check('replaced_passages_order', sql`${t.fromMs} < ${t.toMs}`),
  ],
);
