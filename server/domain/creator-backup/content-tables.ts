import { sql } from 'drizzle-orm';
import { billingDetails } from '~/db/schema/accounts';
import { creators, domains } from '~/db/schema/creators';
import { announcements, episodeChapters, episodeTranscripts, promoDays, promos } from '~/db/schema/episode-parts';
import { episodes, formerEpisodeSlugs } from '~/db/schema/episodes';
import { glossaries } from '~/db/schema/glossaries';
import { episodeMinutes } from '~/db/schema/heard-minutes';
import { importedPlays, importedSources } from '~/db/schema/imported-plays';
import { episodeMonths, episodeTotals, listeningDays, machineDays, statisticsChanges } from '~/db/schema/listening';
import { feedRedirects } from '~/db/schema/moving';
import { creatorPlans } from '~/db/schema/plans';
import { formerProductSlugs, products } from '~/db/schema/products';
import { soundbites } from '~/db/schema/soundbites';
import { activity, members } from '~/db/schema/team';
import { PRODUCT_LIMITS } from '../../limits/products';
import { GLOSSARY_LIMITS } from '../../limits/transcripts';
import { EPISODE_FLAGS } from '../episodes/rules';
import {
  type ExportedTable,
  leftOutFor,
  ofCreator,
  ofEpisodes,
  ofProducts,
  ownerOf,
  PEOPLE,
  seenGrants,
  TIMES,
  words,
} from './exported-table';

const BY_OPERATORS = 'what operators of this installation have decided';
const TAKE_DOWN = { taken_down_at: BY_OPERATORS, take_down: BY_OPERATORS };

/**
 * The creator's page, team, shows and episodes, and their statistics. In this order, rows refer only to earlier rows.
 */
export const CONTENT_TABLES: ExportedTable[] = [
  {
    name: 'billing_details',
    table: billingDetails,
    where: (creatorId) => sql`t.user_id = ${ownerOf(creatorId)}`,
    columns: words(`iban paypal_email tax_number billing_name street postal_code city ${TIMES}`),
    refs: { user_id: PEOPLE },
    identity: ['user_id'],
  },
  {
    name: 'creators',
    table: creators,
    where: (creatorId) => sql`t.id = ${creatorId}`,
    columns: words(
      `id name domain time_zone button_color text_color about_title about_text cta_title cta_text cta_button cta_url
      testimonials links show_newsletter accepts_donations donation_text username version claimed_at closed_at ${TIMES}`,
    ),
    refs: { user_id: PEOPLE },
    keys: ['avatar_key'],
    urls: words('cta_url testimonials links'),
    colors: words('button_color text_color'),
    leftOut: {
      publishing_stopped_at: BY_OPERATORS,
      taken_down_at: BY_OPERATORS,
      insertion_special_access: BY_OPERATORS,
      tracks_readers_since: 'off until the creator switches it on in this installation',
    },
  },
  {
    name: 'domains',
    table: domains,
    where: ofCreator,
    columns: words('domain claimed_at retired_at'),
    refs: { creator_id: 'creators' },
    isShared: true,
    identity: ['domain'],
  },
  {
    name: 'creator_plans',
    table: creatorPlans,
    where: ofCreator,
    columns: words('plan since ends_at'),
    refs: { creator_id: 'creators' },
    identity: ['creator_id'],
  },
  {
    name: 'members',
    table: members,
    where: ofCreator,
    columns: words('id role created_at'),
    refs: { creator_id: 'creators', user_id: PEOPLE },
  },
  {
    name: 'products',
    table: products,
    where: ofCreator,
    columns: words(
      `id kind name slug description category language price_minor annual_price_minor currency pays_what_they_want
      trial_days early_access_days drip_days benefits welcome_message subscriber_email_message hide_subscribe_button explicit
      complete author copyright funding_url funding_text owner_name owner_email owner_email_verified_at feed_length names_listener
      measurement_prefixes shows_plays insertion_free_since
      spotify_show_url listings is_listed first_publish_seen_at archived_at free_conversion free_conversion_at feed_guid
      version changed_at retired_at ${TIMES}`,
    ),
    refs: { creator_id: 'creators' },
    keys: ['cover_key'],
    urls: words('funding_url spotify_show_url listings'),
    lists: { benefits: { items: PRODUCT_LIMITS.benefits, length: PRODUCT_LIMITS.benefitLength } },
    slugs: ['slug'],
    leftOut: TAKE_DOWN,
  },
  {
    name: 'former_product_slugs',
    table: formerProductSlugs,
    where: ofCreator,
    columns: ['slug'],
    slugs: ['slug'],
    refs: { creator_id: 'creators', product_id: 'products' },
    identity: ['creator_id', 'slug'],
  },
  {
    name: 'glossaries',
    table: glossaries,
    where: ofProducts,
    columns: words('lines updated_at'),
    refs: { product_id: 'products' },
    lists: { lines: { items: GLOSSARY_LIMITS.entries, length: GLOSSARY_LIMITS.lineLength } },
    isLater: true,
    identity: ['product_id'],
  },
  {
    name: 'feed_redirects',
    table: feedRedirects,
    where: ofProducts,
    columns: words('url created_at'),
    refs: { product_id: 'products' },
    urls: ['url'],
    isLater: true,
    identity: ['product_id'],
  },
  {
    name: 'episodes',
    table: episodes,
    where: ofCreator,
    columns: [
      ...words(
        `id name slug description private_note type status failure_reason failure_params release_at published_at early_until
        held_at send_email season number people preview_version deleted_at guid upload_key file_name replacement_key
        replacement_name replacement_at audio_bytes audio_sha256 duration_ms bitrate sample_rate channels loudness_tenths
        sound_tried_at converted_from head_bytes audio_warnings ${TIMES}`,
      ),
      ...EPISODE_FLAGS.map((flag) => episodes[flag].name),
    ],
    refs: { creator_id: 'creators', product_id: 'products' },
    keys: words('cover_key audio_key peaks_key served_head'),
    html: ['description'],
    slugs: ['slug'],
    urls: ['people'],
    leftOut: TAKE_DOWN,
  },
  {
    name: 'former_episode_slugs',
    table: formerEpisodeSlugs,
    where: ofProducts,
    columns: ['slug'],
    slugs: ['slug'],
    refs: { product_id: 'products', episode_id: 'episodes' },
    identity: ['product_id', 'slug'],
  },
  {
    name: 'episode_chapters',
    table: episodeChapters,
    where: ofEpisodes,
    columns: words('edited updated_at'),
    refs: { episode_id: 'episodes' },
    keys: ['chapters'],
    urls: ['chapters'],
    identity: ['episode_id'],
  },
  {
    name: 'episode_transcripts',
    table: episodeTranscripts,
    where: ofEpisodes,
    columns: words('language source file_name cues original updated_at'),
    refs: { episode_id: 'episodes' },
    identity: ['episode_id'],
  },
  {
    name: 'promos',
    table: promos,
    where: ofCreator,
    columns: words('audio_bytes duration_ms created_at'),
    refs: { episode_id: 'episodes', creator_id: 'creators' },
    keys: ['audio_key'],
    identity: ['episode_id'],
  },
  {
    name: 'soundbites',
    table: soundbites,
    where: ofCreator,
    columns: words(`id title start_ms end_ms audio_bytes ${TIMES}`),
    refs: { episode_id: 'episodes', creator_id: 'creators' },
    keys: words('source_key audio_key'),
    isLater: true,
  },
  {
    name: 'promo_days',
    table: promoDays,
    where: ofCreator,
    columns: ['day'],
    refs: { creator_id: 'creators' },
    identity: ['creator_id', 'day'],
  },
  {
    name: 'announcements',
    table: announcements,
    where: (creatorId) => sql`${ofEpisodes(creatorId)} and t.user_id in (
      select t.user_id from grants t where ${seenGrants(creatorId)})`,
    columns: ['created_at'],
    refs: { episode_id: 'episodes', user_id: PEOPLE },
    identity: ['episode_id', 'user_id'],
  },
  {
    name: 'listening_days',
    table: listeningDays,
    where: ofCreator,
    columns: words('day listens downloads player_downloads listeners slots dimensions pairs'),
    leftOut: { elsewhere: 'the new installation has not these details in its store' },
    refs: { creator_id: 'creators', product_id: 'products' },
    identity: ['creator_id', 'product_id', 'day'],
  },
  {
    name: 'episode_months',
    table: episodeMonths,
    where: ofCreator,
    columns: words('month listens downloads player_downloads hours dimensions'),
    refs: { creator_id: 'creators', product_id: 'products', episode_id: 'episodes' },
    identity: ['creator_id', 'product_id', 'episode_id', 'month'],
    isLater: true,
  },
  {
    name: 'episode_minutes',
    table: episodeMinutes,
    where: ofCreator,
    columns: words('month listeners minutes heard'),
    refs: { creator_id: 'creators', product_id: 'products', episode_id: 'episodes' },
    identity: ['creator_id', 'product_id', 'episode_id', 'month'],
    isLater: true,
  },
  {
    name: 'machine_days',
    table: machineDays,
    where: ofCreator,
    columns: words('day requests reasons agents'),
    refs: { creator_id: 'creators', product_id: 'products' },
    identity: ['creator_id', 'product_id', 'day'],
    isLater: true,
  },
  {
    name: 'statistics_changes',
    table: statisticsChanges,
    where: ofCreator,
    columns: words('id day reason from_day to_day listens downloads'),
    refs: { creator_id: 'creators', product_id: 'products' },
    isLater: true,
  },
  {
    name: 'imported_sources',
    table: importedSources,
    where: ofCreator,
    columns: words('id host name file_name imported_at'),
    refs: { creator_id: 'creators', product_id: 'products' },
    isLater: true,
  },
  {
    name: 'imported_plays',
    table: importedPlays,
    where: ofCreator,
    columns: words('period day episode plays'),
    refs: { source_id: 'imported_sources', creator_id: 'creators', product_id: 'products' },
    identity: ['source_id', 'period', 'day', 'episode'],
    isLater: true,
  },
  {
    name: 'episode_totals',
    table: episodeTotals,
    where: ofEpisodes,
    columns: words('listens downloads player_downloads'),
    leftOut: leftOutFor('counted again from months', words('released_hour starts_plays first_24h first_7d first_30d')),
    refs: { episode_id: 'episodes', creator_id: 'creators' },
    identity: ['episode_id'],
  },
  {
    name: 'activity',
    table: activity,
    where: ofCreator,
    columns: words('id action params at'),
    refs: { creator_id: 'creators', user_id: PEOPLE },
    leftOut: { subject_id: 'the names in its text are enough' },
  },
];
