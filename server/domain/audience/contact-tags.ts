import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { contactTags, taggedContacts } from '~/db/schema/audience';
import { CONTACT_LIMITS } from '../../limits/audience';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { tooManyTags } from './errors';

/** The ids of a creator's tags, which are created if they are new. Case does not matter. @throws audience.too_many_tags */
export async function tagIds(tx: TxCtx, creatorId: number, names: string[]): Promise<number[]> {
  if (names.length === 0) return [];
  await tx.db
    .insert(contactTags)
    .values(names.map((name) => ({ creatorId, name, createdAt: tx.now() })))
    .onConflictDoNothing();
  const own = eq(contactTags.creatorId, creatorId);
  if ((await tx.db.$count(contactTags, own)) > CONTACT_LIMITS.tags) throw tooManyTags({ count: CONTACT_LIMITS.tags });
  const rows = await tx.db
    .select({ id: contactTags.id })
    .from(contactTags)
    .where(
      and(
        own,
        inArray(
          sql`lower(${contactTags.name})`,
          names.map((name) => sql`lower(${name})`),
        ),
      ),
    )
    .orderBy(contactTags.id);
  return rows.map(({ id }) => id);
}

/** The id of a creator's tag, in any case; null without one. */
export async function lookupTag({ db }: Pick<Ctx, 'db'>, creatorId: number, name: string): Promise<number | null> {
  const isNamed = sql`lower(${contactTags.name}) = lower(${name})`;
  const [row] = await db
    .select({ id: contactTags.id })
    .from(contactTags)
    .where(and(eq(contactTags.creatorId, creatorId), isNamed));
  return row?.id ?? null;
}

/** Gives one contact exactly these tags. */
export async function setTags(tx: TxCtx, contact: { id: number; creatorId: number }, names: string[]): Promise<void> {
  const ids = await tagIds(tx, contact.creatorId, names);
  const isIts = eq(taggedContacts.contactId, contact.id);
  await tx.db.delete(taggedContacts).where(ids.length > 0 ? and(isIts, notInArray(taggedContacts.tagId, ids)) : isIts);
  if (ids.length === 0) return;
  const rows = ids.map((tagId) => ({ tagId, contactId: contact.id }));
  await tx.db.insert(taggedContacts).values(rows).onConflictDoNothing();
}
