import { type SQL, sql } from 'drizzle-orm';
import {
  contactConsents,
  contactSources,
  contacts,
  contactTags,
  suppressions,
  taggedContacts,
} from '~/db/schema/audience';
import { contactImportProblems, contactImportRows } from '~/db/schema/contact-imports';
import type { ContactFault } from '~/db/values/contact-imports';
import { CONTACT_LIMITS } from '../../limits/audience';
import type { TxCtx } from '../../runtime/ctx';
import { currentPlan } from '../plans/queries';
import { lockLeaving } from './leave-newsletter';
import { addressDigest } from './suppressions';

type Import = { id: number; creatorId: number; consent: string; consentedOn: string; language: string };

/**
 * Suppresses the addresses of all rows that say so, before any contact is added, and ends the emails to their contacts.
 * They become no contacts. @returns how many rows, and new suppressions
 */
export async function suppressRows(tx: TxCtx, row: Import): Promise<{ rows: number; suppressed: number }> {
  // new rows have no statistics yet, and a plan for few rows takes hours for many
  await tx.db.execute(sql`analyze ${contactImportRows}`);
  const now = instant(tx);
  const stated = sql`from ${contactImportRows} r where r.import_id = ${row.id} and r.state is not null`;
  const suppressed = await countRows(
    tx,
    sql`insert into ${suppressions} (creator_id, address_digest, reason, created_at)
      select distinct on (r.email) ${row.creatorId}::bigint, ${addressDigest(sql`r.email`)}, r.state, ${now} ${stated}
      order by r.email, r.line
      on conflict do nothing returning 1`,
  );
  // also what the creator's team has deactivated, because they could activate it again
  await tx.db.execute(sql`
    update ${contacts} c set status = 'inactive', inactive_as = r.state, status_reason = 'import', status_at = ${now},
      updated_at = ${now}
    from (select distinct on (r.email) r.email, r.state ${stated} order by r.email, r.line) r
    where c.creator_id = ${row.creatorId} and c.email = r.email
      and (c.status <> 'inactive' or c.status_reason = 'creator')`);
  const isStated = sql`import_id = ${row.id} and state is not null`;
  const rows = await countRows(tx, sql`delete from ${contactImportRows} where ${isStated} returning 1`);
  return { rows, suppressed };
}

/** Counted by the database, because a file has up to a million rows. */
async function countRows(tx: TxCtx, change: SQL): Promise<number> {
  const [row] = await tx.db.execute<{ n: number }>(
    sql`with changed as (${change}) select count(*)::int as n from changed`,
  );
  return row!.n;
}

export type Merged = { rows: number; added: number; changed: number; leftOut: number };

/** The rows of a batch: both ends, so that each reads its own part of the index only. */
type Lines = { after: number; to: number };

/**
 * Adds the rows of some lines to the contacts. Contacts that are inactive stay so; names, tags and the older date are
 * completed. Rows that were merged are deleted.
 */
export async function mergeBatch(tx: TxCtx, row: Import, { after, to }: Lines): Promise<Merged> {
  const where = sql`import_id = ${row.id} and line > ${after} and line <= ${to}`;
  await lockLeaving(tx, row, 'until the end');
  // the index of the search takes up new contacts in larger parts
  await tx.db.execute(sql`select set_config('work_mem', ${WORK_MEMORY}, true)`);
  const suppressed = await leaveOut(tx, 'suppressed', sql`${where} and ${isSuppressed(row)}`);
  const beyond = await beyondPlan(tx, row, where);
  const noRoom = beyond ? await leaveOut(tx, 'no_room', sql`${where} and email in (${beyond})`) : 0;
  await tx.reach('contacts.checked');
  await addTags(tx, row, where);
  const { added, rows } = await addContacts(tx, row, where);
  const known = await completeContacts(tx, row, where);
  return { added, changed: known.changed, rows: rows + known.rows + suppressed + noRoom, leftOut: suppressed + noRoom };
}

const WORK_MEMORY = '64MB';

const instant = (tx: TxCtx): SQL => sql`${tx.now().toISOString()}::timestamptz`;

/** Reports rows by their addresses, and takes them out of the import. */
async function leaveOut(tx: TxCtx, fault: ContactFault, where: SQL): Promise<number> {
  const [row] = await tx.db.execute<{ n: number }>(sql`
    with gone as (delete from ${contactImportRows} where ${where} returning import_id, line, email, name, since, tags),
      reported as (
        insert into ${contactImportProblems} as p (import_id, line, text, fault, row)
        select import_id, line, email, ${fault}::text, jsonb_build_object('email', email, 'name', name,
          'since', coalesce(since::text, ''), 'state', '', 'tags',
          coalesce((select string_agg(t.tag, ', ') from jsonb_array_elements_text(tags) as t(tag)), ''))
        from gone
        -- its date could not be read, either
        on conflict (import_id, line) do update set fault = excluded.fault)
    select count(*)::int as n from gone`);
  return row!.n;
}

/** As a subquery, which looks up each address instead of reading all suppressions of the creator for each batch. */
const isSuppressed = ({ creatorId }: Import): SQL => sql`(
  select s.reason from ${suppressions} s
  where s.creator_id = ${creatorId} and s.address_digest = ${addressDigest(sql`email`)}) is not null`;

/** The addresses beyond the plan's limit of active contacts, in the order of the file. */
async function beyondPlan(tx: TxCtx, { creatorId }: Import, where: SQL): Promise<SQL | null> {
  const { limits } = await currentPlan(tx, creatorId);
  if (limits.contacts === null) return null;
  return sql`
    select r.email from ${contactImportRows} r
    where ${where} and not exists (
      select from ${contacts} c where c.creator_id = ${creatorId} and c.email = r.email and c.status <> 'pending')
    group by r.email order by min(r.line)
    offset greatest(0, ${limits.contacts} - (
      select count(*) from ${contacts} c where c.creator_id = ${creatorId} and c.status = 'active'))`;
}

/** The people of a batch, of whom a file may have several rows. */
const peopleOf = (where: SQL): SQL => sql`
  select email, coalesce((array_agg(name order by line) filter (where name <> ''))[1], '') as name, min(since) as since
  from ${contactImportRows} where ${where} group by email order by email`;

/**
 * Adds the people who are not on the list with all that is known of them, in one statement: as their rows are new, nothing
 * is looked up. Their staged rows are deleted; those of people on the list are left.
 */
async function addContacts(tx: TxCtx, row: Import, where: SQL): Promise<{ added: number; rows: number }> {
  const now = instant(tx);
  const { creatorId, consent, consentedOn, language } = row;
  const [counts] = await tx.db.execute<{ added: number; rows: number }>(sql`
    with added as (
      insert into ${contacts} (creator_id, email, name, status, status_reason, status_at, source, language, since,
        created_at, updated_at)
      select ${creatorId}::bigint, email, name, 'active', 'import', ${now}, 'import', ${language}::text,
        coalesce(since, ${consentedOn}::date)::timestamp at time zone 'UTC', ${now}, ${now}
      from (${peopleOf(where)}) people
      on conflict (creator_id, email) do nothing
      returning id, email),
    sources as (
      insert into ${contactSources} (contact_id, creator_id, source, created_at)
      select id, ${creatorId}::bigint, 'import', ${now} from added),
    consents as (
      insert into ${contactConsents} (contact_id, given_at, source, text)
      select id, ${consentedOn}::timestamp at time zone 'UTC', 'import', ${consent}::text from added),
    merged as (
      delete from ${contactImportRows} r using added where ${where} and r.email = added.email returning added.id, r.tags),
    tagged as (
      insert into ${taggedContacts} (tag_id, contact_id)
      select distinct t.id, merged.id from merged, ${tagsIn(sql`merged.tags`, creatorId)})
    select (select count(*)::int from added) as added, (select count(*)::int from merged) as rows`);
  return counts!;
}

/** The creator's tags that a row names. */
const tagsIn = (tags: SQL, creatorId: number): SQL => sql`jsonb_array_elements_text(${tags}) as named(tag)
  join ${contactTags} t on t.creator_id = ${creatorId} and lower(t.name) = lower(named.tag)`;

/** Completes contacts that are on the list, and deletes their staged rows. Those that would not change are only read. */
async function completeContacts(tx: TxCtx, row: Import, where: SQL): Promise<{ changed: number; rows: number }> {
  if (!(await hasRows(tx, where))) return { changed: 0, rows: 0 };
  const now = instant(tx);
  const changed = await countRows(
    tx,
    sql`insert into ${contacts} as c (creator_id, email, name, status, status_reason, status_at, source, language, since,
        created_at, updated_at)
      select ${row.creatorId}::bigint, r.email, r.name, 'active', 'import', ${now}, 'import', ${row.language}::text,
        coalesce(r.since::timestamp at time zone 'UTC', ${now}), ${now}, ${now}
      from (${peopleOf(where)}) r cross join lateral (
        select c.status, c.since, c.name from ${contacts} c
        where c.creator_id = ${row.creatorId} and c.email = r.email limit 1) own
      where own.status = 'pending' or r.since::timestamp at time zone 'UTC' < own.since or (own.name = '' and r.name <> '')
      on conflict (creator_id, email) do update set
        name = coalesce(nullif(c.name, ''), excluded.name),
        since = least(c.since, excluded.since),
        status = case when c.status = 'pending' then 'active' else c.status end,
        status_reason = case when c.status = 'pending' then 'import' else c.status_reason end,
        status_at = case when c.status = 'pending' then excluded.status_at else c.status_at end,
        updated_at = excluded.updated_at
      returning 1`,
  );
  await noteAll(tx, row, where);
  return { changed, rows: await countRows(tx, sql`delete from ${contactImportRows} where ${where} returning 1`) };
}

async function hasRows(tx: TxCtx, where: SQL): Promise<boolean> {
  const [row] = await tx.db.execute<{ found: boolean }>(
    sql`select exists (select from ${contactImportRows} where ${where}) as found`,
  );
  return row!.found;
}

/** Tags beyond the limit of a creator are left out. */
async function addTags(tx: TxCtx, { creatorId }: Import, where: SQL): Promise<void> {
  await tx.db.execute(sql`
    insert into ${contactTags} (creator_id, name, created_at)
    select ${creatorId}::bigint, min(r.tag), ${instant(tx)}
    from (select t.tag from ${contactImportRows}, jsonb_array_elements_text(tags) as t(tag) where ${where}) r
    where not exists (select from ${contactTags} t where t.creator_id = ${creatorId} and lower(t.name) = lower(r.tag))
    group by lower(r.tag) order by lower(r.tag)
    limit greatest(0, ${CONTACT_LIMITS.tags} - (select count(*) from ${contactTags} t where t.creator_id = ${creatorId}))
    on conflict do nothing`);
}

/**
 * Notes for the known contacts of a batch `import` as a source, their tags, and their consent as the creator has first declared
 * it. Each contact is looked up once; a join would read all contacts of the creator, about whom the planner knows nothing
 * while an import adds them.
 */
async function noteAll(tx: TxCtx, { creatorId, consent, consentedOn }: Import, where: SQL): Promise<void> {
  await tx.db.execute(sql`
    with own as materialized (
      select c.id, c.status, r.tags from ${contactImportRows} r cross join lateral (
        select c.id, c.status from ${contacts} c where c.creator_id = ${creatorId} and c.email = r.email limit 1) c
      where ${where}),
    sources as (
      insert into ${contactSources} (contact_id, creator_id, source, created_at)
      select distinct id, ${creatorId}::bigint, 'import', ${instant(tx)} from own on conflict do nothing),
    consents as (
      insert into ${contactConsents} (contact_id, given_at, source, text)
      select distinct id, ${consentedOn}::timestamp at time zone 'UTC', 'import', ${consent}::text from own
      where status = 'active' and (
        select max(given_at) from ${contactConsents} where contact_id = own.id and source = 'import') is null
      on conflict do nothing)
    insert into ${taggedContacts} (tag_id, contact_id)
    select distinct t.id, own.id from own, ${tagsIn(sql`own.tags`, creatorId)}
    on conflict do nothing`);
}
