import { type SQL, sql } from 'drizzle-orm';
import { contactBatches, contactBatchRows, contactFormerAddresses, contacts, suppressions } from '~/db/schema/audience';
import { contactImportProblems, contactImportRows, contactImports } from '~/db/schema/contact-imports';
import { outbox } from '~/db/schema/notifications';
import type { TxCtx } from '../../runtime/ctx';
import { eraseFoundEmails } from '../notifications/outbox';
import type { ContactKey } from './queries';
import { addressDigest } from './suppressions';

/** Remembers, as a digest, that a contact had an address: its erasure looks for that one, too. */
export async function noteFormerAddress(tx: TxCtx, contactId: number, email: string): Promise<void> {
  const digest = addressDigest(sql`${email}::text`);
  await tx.db.insert(contactFormerAddresses).values({ contactId, addressDigest: digest }).onConflictDoNothing();
}

/**
 * Deletes what creators keep about contacts in other places, under every address that these have had: rows of files, what
 * undo kept, and emails. Call it before the contacts are deleted.
 * @param which condition on the contacts @param key an address that may have no contact
 */
export async function eraseTraces(tx: TxCtx, which: SQL, key: ContactKey | null = null): Promise<void> {
  const ofKey = key && sql`union select ${key.creatorId}::bigint, ${addressDigest(sql`${key.email}::text`)}`;
  const traces = sql`
    persons as materialized (select id, creator_id, email from ${contacts} where ${which}),
    traces as materialized (
      select creator_id, ${addressDigest(sql`email`)} as digest from persons
      union select p.creator_id, f.address_digest from persons p join ${contactFormerAddresses} f on f.contact_id = p.id
      ${ofKey ?? sql``})`;
  const isTrace = (creatorId: SQL, email: SQL) =>
    sql`(${creatorId}, ${addressDigest(email)}) in (select creator_id, digest from traces)`;
  const ofList = (creatorId: SQL) => sql`${creatorId} in (select creator_id from traces)`;
  for (const [table, address] of [
    [contactImportRows, sql`r.email`],
    [contactImportProblems, sql`lower(r.text)`],
  ] as const)
    await tx.db.execute(sql`with ${traces} delete from ${table} r using ${contactImports} i
      where i.id = r.import_id and ${ofList(sql`i.creator_id`)} and ${isTrace(sql`i.creator_id`, address)}`);
  await tx.db.execute(sql`with ${traces} delete from ${contactBatchRows} r using ${contactBatches} b
    where b.id = r.batch_id and ${ofList(sql`b.creator_id`)}
      and (r.contact_id in (select id from persons) or ${isTrace(sql`b.creator_id`, sql`r.email`)})`);
  const isTo = sql`(${outbox.creatorId}, ${addressDigest(sql`${outbox.to}`)})`;
  await eraseFoundEmails(tx, sql`${isTo} in (with ${traces} select creator_id, digest from traces)`);
}

/**
 * Keeps the former addresses of a contact from coming back with an old file, as its own. Addresses that another contact
 * has by now stay as they are.
 */
export async function suppressFormer(tx: TxCtx, which: SQL): Promise<void> {
  await tx.db.execute(sql`
    insert into ${suppressions} (creator_id, address_digest, reason, created_at)
    select distinct ${contacts.creatorId}, f.address_digest, 'unsubscribed', ${tx.now().toISOString()}::timestamptz
    from ${contacts} join ${contactFormerAddresses} f on f.contact_id = ${contacts.id}
    where ${which} and not exists (
      select from ${contacts} o where o.creator_id = ${contacts.creatorId}
        and ${addressDigest(sql`o.email`)} = f.address_digest)
    on conflict do nothing`);
}
