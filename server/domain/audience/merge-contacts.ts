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
import { CONTACT_LIMITS } from '../../limits/audience';
import type { TxCtx } from '../../runtime/ctx';
import { currentPlan } from '../plans/queries';
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
  const added = await tx.db.execute(sql`
    insert into ${suppressions} (creator_id, address_digest, reason, created_at)
    select distinct on (r.email) ${row.creatorId}::bigint, ${addressDigest(sql`r.email`)}, r.state, ${now} ${stated}
    order by r.email, r.line
    on conflict do nothing returning 1`);
  await tx.db.execute(sql`
    update ${contacts} c set status = 'inactive', inactive_as = r.state, status_reason = 'import', status_at = ${now},
      updated_at = ${now}
    from (select distinct on (r.email) r.email, r.state ${stated} order by r.email, r.line) r
    where c.creator_id = ${row.creatorId} and c.email = r.email and c.status <> 'inactive'`);
  const gone = await tx.db.execute(sql`
    delete from ${contactImportRows} where import_id = ${row.id} and state is not null returning 1`);
  return { rows: gone.length, suppressed: added.length };
}

export type Merged = { rows: number; added: number; changed: number; leftOut: number };

/**
 * Adds the rows up to a line to the contacts. Contacts that are inactive stay so; names, tags and the older date are
 * completed. Rows that were merged are deleted.
 */
export async function mergeBatch(tx: TxCtx, row: Import, to: number): Promise<Merged> {
  const where = sql`import_id = ${row.id} and line <= ${to}`;
  const suppressed = await leaveOut(tx, row, where, 'suppressed', suppressedIn(row, where));
  const noRoom = await leaveOut(tx, row, where, 'no_room', await withoutRoom(tx, row, where));
  const counts = await upsert(tx, row, where);
  await noteAll(tx, row, where);
  await tagAll(tx, row, where);
  const gone = await tx.db.execute(sql`delete from ${contactImportRows} where ${where} returning 1`);
  return { ...counts, rows: gone.length + suppressed + noRoom, leftOut: suppressed + noRoom };
}

const instant = (tx: TxCtx): SQL => sql`${tx.now().toISOString()}::timestamptz`;

/** Reports rows by their addresses, and takes them out of the import. */
async function leaveOut(tx: TxCtx, row: Import, where: SQL, fault: string, emails: SQL | null): Promise<number> {
  if (!emails) return 0;
  const gone = await tx.db.execute(sql`
    with gone as (delete from ${contactImportRows} where ${where} and email in (${emails}) returning line, email)
    insert into ${contactImportProblems} (import_id, line, text, fault)
    select ${row.id}::bigint, line, email, ${fault}::text from gone returning 1`);
  return gone.length;
}

const suppressedIn = ({ creatorId }: Import, where: SQL): SQL => sql`
  select r.email from ${contactImportRows} r join ${suppressions} s
    on s.creator_id = ${creatorId} and s.address_digest = ${addressDigest(sql`r.email`)} where ${where}`;

/** The addresses beyond the plan's limit of active contacts, in the order of the file. */
async function withoutRoom(tx: TxCtx, { creatorId }: Import, where: SQL): Promise<SQL | null> {
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

async function upsert(tx: TxCtx, row: Import, where: SQL): Promise<{ added: number; changed: number }> {
  const now = instant(tx);
  const [counts] = await tx.db.execute<{ added: number; changed: number }>(sql`
    with written as (
      insert into ${contacts} as c (creator_id, email, name, status, status_reason, status_at, source, language, since,
        created_at, updated_at)
      select ${row.creatorId}::bigint, email, coalesce((array_agg(name order by line) filter (where name <> ''))[1], ''),
        'active', 'import', ${now}, 'import', ${row.language}::text,
        coalesce(min(since)::timestamp at time zone 'UTC', ${now}), ${now}, ${now}
      from ${contactImportRows} where ${where} group by email order by email
      on conflict (creator_id, email) do update set
        name = coalesce(nullif(c.name, ''), excluded.name),
        since = least(c.since, excluded.since),
        status = case when c.status = 'pending' then 'active' else c.status end,
        status_reason = case when c.status = 'pending' then 'import' else c.status_reason end,
        status_at = case when c.status = 'pending' then excluded.status_at else c.status_at end,
        updated_at = excluded.updated_at
      where c.status = 'pending' or excluded.since < c.since or (c.name = '' and excluded.name <> '')
      returning xmax = 0 as is_new)
    select count(*) filter (where is_new)::int as added, count(*) filter (where not is_new)::int as changed from written`);
  return counts!;
}

/** Contacts of the batch with `import` as a source, and their consent as the creator has declared it. */
async function noteAll(tx: TxCtx, row: Import, where: SQL): Promise<void> {
  const batch = sql`with batch as materialized (select distinct email from ${contactImportRows} where ${where})`;
  const own = sql`from batch b join ${contacts} c on c.creator_id = ${row.creatorId} and c.email = b.email`;
  await tx.db.execute(sql`${batch}
    insert into ${contactSources} (contact_id, creator_id, source, created_at)
    select c.id, c.creator_id, 'import', ${instant(tx)} ${own} on conflict do nothing`);
  await tx.db.execute(sql`${batch}
    insert into ${contactConsents} (contact_id, given_at, source, text)
    select c.id, ${row.consentedOn}::timestamp at time zone 'UTC', 'import', ${row.consent}::text ${own}
    where c.status = 'active' on conflict do nothing`);
}

/** Tags beyond the limit of a creator are left out. */
async function tagAll(tx: TxCtx, { creatorId }: Import, where: SQL): Promise<void> {
  const tagged = sql`(select r.email, t.tag from ${contactImportRows} r, jsonb_array_elements_text(r.tags) as t(tag)
    where ${where} and r.tags is not null) r`;
  await tx.db.execute(sql`
    insert into ${contactTags} (creator_id, name, created_at)
    select ${creatorId}::bigint, min(r.tag), ${instant(tx)} from ${tagged}
    where not exists (select from ${contactTags} t where t.creator_id = ${creatorId} and lower(t.name) = lower(r.tag))
    group by lower(r.tag) order by lower(r.tag)
    limit greatest(0, ${CONTACT_LIMITS.tags} - (select count(*) from ${contactTags} t where t.creator_id = ${creatorId}))
    on conflict do nothing`);
  await tx.db.execute(sql`
    insert into ${taggedContacts} (tag_id, contact_id)
    select distinct t.id, c.id from ${tagged}
    join ${contactTags} t on t.creator_id = ${creatorId} and lower(t.name) = lower(r.tag)
    join ${contacts} c on c.creator_id = ${creatorId} and c.email = r.email
    on conflict do nothing`);
}
