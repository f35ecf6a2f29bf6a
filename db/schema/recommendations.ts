import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import {
  type EndReason,
  RECOMMENDATION_STATES,
  RECOMMENDED_IN,
  type RecommendationState,
  type RecommendedIn,
} from '../values/recommendations';
import { creators } from './creators';
import { episodes } from './episodes';
import { insertionCampaigns } from './insertions';
import { products } from './products';

const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

/** A show that plays the promo of another show, once the creator of that other show agrees. */
export const recommendations = pgTable(
  'recommendations',
  {
    id: id(),
    /** The show that recommends, in whose episodes the promo plays. */
    productId: ref('product_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    /** The show that is recommended. */
    recommendedId: ref('recommended_id')
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    recommendedCreatorId: ref('recommended_creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    status: text('status').$type<RecommendationState>().notNull(),
    /** Both rows of a swap have it. */
    swapId: uuid('swap_id'),
    /** Of a swap: the row for which the recommended creator has asked. The other side of a request answers it. */
    isReturn: boolean('is_return').notNull().default(false),
    /** The episode whose promo plays; null after its deletion. */
    promoEpisodeId: ref('promo_episode_id').references(() => episodes.id, { onDelete: 'set null' }),
    /** The promo's file at the time of the request, and no other one plays; null in requests of former releases. */
    promoKey: text('promo_key'),
    /** The campaign of kind `promo` that plays it, once it was accepted. */
    campaignId: ref('campaign_id').references(() => insertionCampaigns.id, { onDelete: 'set null' }),
    /** In the recommending creator's time zone. */
    firstDay: date('first_day', { mode: 'string' }).notNull(),
    lastDay: date('last_day', { mode: 'string' }),
    isAtEnd: boolean('is_at_end').notNull(),
    selection: text('selection').$type<RecommendedIn>().notNull().default('all'),
    /** The chosen episodes, until the campaign has them. */
    episodeIds: bigint('episode_ids', { mode: 'number' }).array().notNull().default(sql`'{}'`),
    answeredAt: instant('answered_at'),
    endedAt: instant('ended_at'),
    /** Null in rows that ended in former releases. */
    endReason: text('end_reason').$type<EndReason>(),
    ...timestamps(),
  },
  (t) => [
    // one at a time between two shows
    uniqueIndex('recommendations_once')
      .on(t.productId, t.recommendedId)
      .where(sql`${t.status} in ('requested', 'accepted')`),
    index('recommendations_of_creator').on(t.creatorId, t.id),
    index('recommendations_of_recommended_creator').on(t.recommendedCreatorId, t.id),
    index('recommendations_of_recommended').on(t.recommendedId),
    index('recommendations_of_campaign').on(t.campaignId),
    index('recommendations_of_promo').on(t.promoEpisodeId),
    index('recommendations_of_swap').on(t.swapId).where(sql`${t.swapId} is not null`),
    index('recommendations_open').on(t.id).where(sql`${t.status} in ('requested', 'accepted')`),
    check('recommendations_status', sql`${t.status} in (${oneOf(RECOMMENDATION_STATES)})`),
    check('recommendations_selection', sql`${t.selection} in (${oneOf(RECOMMENDED_IN)})`),
    check('recommendations_of_others', sql`${t.productId} <> ${t.recommendedId}`),
  ],
);

/** Creators whose requests a creator does not want. Without `blockedId`, those of all creators. */
export const recommendationBlocks = pgTable(
  'recommendation_blocks',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    blockedId: ref('blocked_id').references(() => creators.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('recommendation_blocks_once').on(t.creatorId, t.blockedId).where(sql`${t.blockedId} is not null`),
    uniqueIndex('recommendation_blocks_of_all').on(t.creatorId).where(sql`${t.blockedId} is null`),
    index('recommendation_blocks_of_blocked').on(t.blockedId),
  ],
);

/** What a recommendation has brought, by UTC day. */
export const recommendationDays = pgTable(
  'recommendation_days',
  {
    recommendationId: ref('recommendation_id')
      .notNull()
      .references(() => recommendations.id, { onDelete: 'cascade' }),
    day: date('day', { mode: 'string' }).notNull(),
    visits: integer('visits').notNull().default(0),
    follows: integer('follows').notNull().default(0),
    subscriptions: integer('subscriptions').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.recommendationId, t.day] })],
);
