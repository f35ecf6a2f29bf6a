import { sql } from 'drizzle-orm';
import {
  bigint,
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
import { DOMAIN_STATES, type DomainReadings, type DomainState } from '../../server/base/sending-records';
import type { DmarcSource } from '../../server/bounces/dmarc-report';
import { id, instant, ref, timestamps } from '../columns';
import { creators } from './creators';

const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

/** What a mail provider received in the name of a domain, and how much of it passed DMARC (RFC 7489 §7.2). */
export const dmarcReports = pgTable(
  'dmarc_reports',
  {
    id: id(),
    /** In lower case. */
    domain: text('domain').notNull(),
    org: text('org').notNull(),
    reportId: text('report_id').notNull(),
    beginsAt: instant('begins_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** Emails; `passed` by DKIM or SPF, each with a domain that fits the sender's. */
    messages: bigint('messages', { mode: 'number' }).notNull(),
    passed: bigint('passed', { mode: 'number' }).notNull(),
    dkimPassed: bigint('dkim_passed', { mode: 'number' }).notNull(),
    spfPassed: bigint('spf_passed', { mode: 'number' }).notNull(),
    /** The largest ones. */
    sources: jsonb('sources').$type<DmarcSource[]>().notNull(),
    /** Those that are not listed. */
    otherSources: integer('other_sources').notNull().default(0),
    /** The domain that has signed the email with the report, as the receiving server says; null if it says nothing. */
    signedBy: text('signed_by'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('dmarc_reports_once').on(t.domain, t.org, t.reportId),
    index('dmarc_reports_of_domain').on(t.domain, t.endsAt),
    index('dmarc_reports_age').on(t.createdAt),
  ],
);

/** The domains from which creators' editions leave, once DNS has their records (docs/decisions/0351). */
export const sendingDomains = pgTable(
  'sending_domains',
  {
    id: id(),
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    /** In ASCII. */
    domain: text('domain').notNull(),
    /** The part of the sender's address before the @. */
    localPart: text('local_part').notNull(),
    selector: text('selector').notNull(),
    /** RSA in base64 (SPKI in DER), as DNS has it. */
    publicKey: text('public_key').notNull(),
    /** The private key, encrypted. It never leaves the server, and no backup of a creator has it. */
    sealedKey: text('sealed_key').notNull(),
    state: text('state').$type<DomainState>().notNull().default('pending'),
    readings: jsonb('readings').$type<DomainReadings>().notNull(),
    /** When DNS last answered about all records. */
    checkedAt: instant('checked_at'),
    /** When DNS was last asked. */
    askedAt: instant('asked_at').notNull(),
    /** Whether it gave no answer then. */
    isUnanswered: boolean('is_unanswered').notNull().default(false),
    verifiedAt: instant('verified_at'),
    /** When the first email left from this domain. */
    warmUpStartedAt: instant('warm_up_started_at'),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('sending_domains_of_creator').on(t.creatorId, t.domain),
    uniqueIndex('sending_domains_verified_once').on(t.domain).where(sql`${t.state} = 'verified'`),
    index('sending_domains_asked').on(t.askedAt),
    check('sending_domains_state', sql`${t.state} in (${oneOf(DOMAIN_STATES)})`),
  ],
);

/** How many emails of a UTC day were reserved for a domain that warms up. */
export const sendingDomainDays = pgTable(
  'sending_domain_days',
  {
    domainId: ref('domain_id')
      .notNull()
      .references(() => sendingDomains.id, { onDelete: 'cascade' }),
    day: date('day').notNull(),
    reserved: integer('reserved').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.domainId, t.day] })],
);

/** How far the warm-up of a domain was that its creator has removed, for when they add it again. */
export const formerSendingDomains = pgTable(
  'former_sending_domains',
  {
    creatorId: ref('creator_id')
      .notNull()
      .references(() => creators.id, { onDelete: 'cascade' }),
    domain: text('domain').notNull(),
    warmUpStartedAt: instant('warm_up_started_at').notNull(),
    /** Reserved on the UTC day of the removal. */
    day: date('day').notNull(),
    reserved: integer('reserved').notNull(),
    removedAt: instant('removed_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.creatorId, t.domain] }), index('former_sending_domains_age').on(t.removedAt)],
);
