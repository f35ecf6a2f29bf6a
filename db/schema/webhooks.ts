import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { id, instant, ref, timestamps } from '../columns';
import {
  DISABLED_REASONS,
  type DisabledReason,
  ENDPOINT_KINDS,
  type EndpointKind,
  WEBHOOK_STATES,
  type WebhookData,
  type WebhookEvent,
  type WebhookState,
} from '../values/webhook-events';
import { users } from './accounts';
import { creators } from './creators';
import { products } from './products';

const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

/** Addresses to which a creator's events are sent (docs/decisions/0401). */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: uuid('id').primaryKey(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<EndpointKind>().notNull(),
    /** Those of chat services are secrets, so it is shown to the owner only. */
    url: text('url').notNull(),
    description: text('description').notNull().default(''),
    /** Null: all events, also those that are added later. */
    events: text('events').array().$type<WebhookEvent[]>(),
    sealedSecret: text('sealed_secret').notNull(),
    /** The secret before the last one, with which messages are signed as well until then. */
    formerSecret: text('former_secret'),
    formerUntil: instant('former_until'),
    disabledAt: instant('disabled_at'),
    disabledFor: text('disabled_for').$type<DisabledReason>(),
    /** The first of the attempts that have failed in a row; null after one that succeeded. */
    failingSince: instant('failing_since'),
    createdBy: ref('created_by').references(() => users.id, { onDelete: 'set null' }),
    ...timestamps(),
  },
  (t) => [
    index('webhook_endpoints_of_creator').on(t.creatorId, t.createdAt),
    check('webhook_endpoints_kind', sql`${t.kind} in (${oneOf(ENDPOINT_KINDS)})`),
    check('webhook_endpoints_disabled_for', sql`${t.disabledFor} in (${oneOf(DISABLED_REASONS)})`),
    check('webhook_endpoints_disabled', sql`(${t.disabledAt} is null) = (${t.disabledFor} is null)`),
  ],
);

/**
 * Facts that at least one endpoint wants to know. A trigger of the fact's table writes the row, with its deliveries. There
 * is no foreign key: its lock on the creator would come in another order than those of the verbs.
 */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: id(),
    /** `webhook-id` of every message about it, so that its receiver recognises a repetition. */
    messageId: uuid('message_id').notNull().defaultRandom(),
    creatorId: ref('creator_id').notNull(),
    type: text('type').$type<WebhookEvent>().notNull(),
    data: jsonb('data').$type<WebhookData>().notNull(),
    /** Made up, for an endpoint that is being set up. */
    isTest: boolean('is_test').notNull().default(false),
    happenedAt: instant('happened_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('webhook_events_message_once').on(t.messageId),
    index('webhook_events_of_creator').on(t.creatorId),
    index('webhook_events_by_age').on(t.happenedAt),
  ],
);

/** An event on its way to an endpoint. Those of one object are sent in the order of their ids. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: id(),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    eventId: bigint('event_id', { mode: 'number' })
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
    /** `episode:12` */
    object: text('object').notNull(),
    state: text('state').$type<WebhookState>().notNull().default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    /** Counts leases: only the worker that has the last one may record an outcome. */
    lease: integer('lease').notNull().default(0),
    /** Of a leased one, the end of the lease. A new one is due at once, whatever the clock of the database says. */
    dueAt: instant('due_at').notNull().default(sql`to_timestamp(0)`),
    settledAt: instant('settled_at'),
  },
  (t) => [
    index('webhook_deliveries_due').on(t.endpointId, t.dueAt, t.id).where(sql`${t.state} = 'waiting'`),
    index('webhook_deliveries_due_first').on(t.dueAt).where(sql`${t.state} = 'waiting'`),
    index('webhook_deliveries_in_order').on(t.endpointId, t.object, t.id).where(sql`${t.state} = 'waiting'`),
    index('webhook_deliveries_log').on(t.endpointId, t.id),
    index('webhook_deliveries_of_event').on(t.eventId),
    check('webhook_deliveries_state', sql`${t.state} in (${oneOf(WEBHOOK_STATES)})`),
  ],
);

/** Each attempt of a delivery, with what the endpoint answered. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    deliveryId: bigint('delivery_id', { mode: 'number' })
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    startedAt: instant('started_at').notNull(),
    ms: integer('ms').notNull(),
    /** Null without an answer; then `failure` has the code of the error. */
    status: integer('status'),
    failure: text('failure'),
    /** Up to 64 KB of the answer's body, but of a success or an older failure only the beginning. */
    answer: text('answer').notNull(),
    /** The endpoint, if `answer` is longer than that of most attempts. */
    wholeOf: uuid('whole_of'),
  },
  (t) => [
    primaryKey({ columns: [t.deliveryId, t.number] }),
    index('webhook_attempts_whole').on(t.wholeOf, t.startedAt).where(sql`${t.wholeOf} is not null`),
  ],
);

/** The last milestone (100, 1,000, 10,000 …) of the downloads of each show that an endpoint asks for. */
export const webhookMilestones = pgTable(
  'webhook_milestones',
  {
    productId: ref('product_id')
      .primaryKey()
      .references(() => products.id, { onDelete: 'cascade' }),
    creatorId: ref('creator_id').notNull(),
    reached: bigint('reached', { mode: 'number' }).notNull(),
  },
  (t) => [index('webhook_milestones_of_creator').on(t.creatorId)],
);
