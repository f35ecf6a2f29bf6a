import { type SQL, sql } from 'drizzle-orm';
import { plainArray } from '~/db/driver/plain-array';
import {
  contactBatches,
  contactBatchRows,
  contactFormerAddresses,
  contacts,
  deletedContacts,
} from '~/db/schema/audience';
import { contactImportProblems, contactImportRows, contactImports } from '~/db/schema/contact-imports';
import { outbox } from '~/db/schema/notifications';
import type { TxCtx } from '../../runtime/ctx';
import { eraseFoundEmails } from '../notifications/outbox';
import type { LinkedKey } from './linked-contact';
import type { ContactKey } from './queries';
import { type AddressDigest, addressDigest, digestOf, hasDigest, suppressDigests } from './suppressions';

/** Remembers, as a digest, that a contact had an address: its erasure looks for that one, too. */
export async function noteFormerAddress(tx: TxCtx, contactId: number, email: string): Promise<void> {
  const digest = addressDigest(sql`${email}::text`);
  await tx.db.insert(contactFormerAddresses).values({ contactId, addressDigest: digest }).onConflictDoNothing();
}

/**
 * Deletes what creators keep about contacts in other places, under every address that these have had: rows of files, what
 * undo kept, and emails. Addresses that another contact has by now are that one's. Call it before the contacts are deleted.
 * @param which condition on the contacts @param key of a link, which may have no contact any more
 */
export async function eraseTraces(tx: TxCtx, which: SQL, key: LinkedKey | null = null): Promise<void> {
  const { id, creatorId, email } = contacts;
  const persons = await tx.db.select({ id, creatorId, email }).from(contacts).where(which).orderBy(id);
  const known = [...persons, ...(key ? [key] : [])];
  const ids = known.flatMap((one) => one.id ?? []);
  const addresses = known.map((one) => ({ creatorId: one.creatorId, digest: digestOf(one.email) }));
  const former = await formerOf(tx, ids);
  const traces = rowsOf([...addresses, ...former]);
  const isTrace = (list: SQL, address: SQL) =>
    sql`(${list}, ${addressDigest(address)}) in (select creator_id, digest from ${traces})`;
  const ofList = (list: SQL) => sql`${list} in (select creator_id from ${traces})`;
  for (const [table, address] of [
    [contactImportRows, sql`r.email`],
    [contactImportProblems, sql`lower(r.text)`],
  ] as const)
    await tx.db.execute(sql`delete from ${table} r using ${contactImports} i
      where i.id = r.import_id and ${ofList(sql`i.creator_id`)} and ${isTrace(sql`i.creator_id`, address)}`);
  await tx.db.execute(sql`delete from ${contactBatchRows} r using ${contactBatches} b
    where b.id = r.batch_id and ${ofList(sql`b.creator_id`)}
      and (r.contact_id = any (${plainArray(ids)}::bigint[]) or ${isTrace(sql`b.creator_id`, sql`r.email`)})`);
  await eraseEmailsTo(tx, known, former);
}

/** The former addresses, and the last ones of contacts that are deleted, unless another contact has them. */
async function formerOf(tx: TxCtx, ids: number[]): Promise<AddressDigest[]> {
  const isOne = (column: SQL) => sql`${column} = any (${plainArray(ids)}::bigint[])`;
  const rows = await tx.db.execute<Row>(sql`
    select c.creator_id, a.address_digest as digest
    from ${contactFormerAddresses} a join ${contacts} c on c.id = a.contact_id where ${isOne(sql`a.contact_id`)}
    union select d.creator_id, d.address_digest from ${deletedContacts} d
    where ${isOne(sql`d.contact_id`)} and not exists (select from ${contacts} c where c.id = d.contact_id)`);
  // most people have none
  if (rows.length === 0) return [];
  const free = await tx.db.execute<Row>(sql`
    select f.creator_id, f.digest from ${rowsOf(rows.map(toDigest))}
    where (
      select o.id from ${contacts} o where o.creator_id = f.creator_id and ${hasDigest(sql`o.email`, sql`f.digest`)}
        and not ${isOne(sql`o.id`)} limit 1) is null
    order by f.creator_id, f.digest`);
  return free.map(toDigest);
}

type Row = { creator_id: string; digest: string };
const toDigest = ({ creator_id, digest }: Row): AddressDigest => ({ creatorId: Number(creator_id), digest });

/** Of former addresses, only the digests are known. Each is looked up: no list of a creator is read for it. */
async function eraseEmailsTo(tx: TxCtx, known: ContactKey[], former: AddressDigest[]): Promise<void> {
  const rows = JSON.stringify(known.map(({ creatorId, email }) => ({ creator_id: creatorId, email })));
  const ofKnown = sql`jsonb_to_recordset(${rows}::text::jsonb) as f(creator_id bigint, email text)`;
  await eraseFoundEmails(tx, isFoundBy(ofKnown, sql`o."to" = f.email`));
  if (former.length === 0) return;
  await eraseFoundEmails(tx, isFoundBy(rowsOf(former), hasDigest(sql`o."to"`, sql`f.digest`)));
}

/** `offset` keeps the planner from comparing all emails with all rows. */
const isFoundBy = (rows: SQL, isTo: SQL): SQL => sql`${outbox.id} in (
  select found.id from ${rows} cross join lateral (
    select o.id from ${outbox} o where o.creator_id = f.creator_id and ${isTo} offset 0) found)`;

const rowsOf = (digests: AddressDigest[]): SQL => {
  const rows = digests.map(({ creatorId, digest }) => ({ creator_id: creatorId, digest }));
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as f(creator_id bigint, digest text)`;
};

/**
 * Keeps the former addresses of a contact from coming back with an old file, as its own. Addresses that another contact
 * has by now stay as they are.
 */
export async function suppressFormer(tx: TxCtx, which: SQL): Promise<void> {
  const persons = await tx.db.select({ id: contacts.id }).from(contacts).where(which).orderBy(contacts.id);
  const former = await formerOf(
    tx,
    persons.map(({ id }) => id),
  );
  await suppressDigests(tx, former, 'unsubscribed');
}
