import { and, eq, inArray } from 'drizzle-orm';
import type { Database, Transaction } from './client';
import type { formerEpisodeSlugs } from './schema/episodes';
import type { formerProductSlugs } from './schema/products';

/** Former slugs of products and episodes, so that old links redirect. A slug is unique within its scope. */
type FormerSlugs = typeof formerProductSlugs | typeof formerEpisodeSlugs;
/** A creator is the scope of product slugs, a product the scope of episode slugs. */
type ScopedSlug = { scopeId: number; slug: string };

/** The product or episode whose former slug this is, or null. */
export async function lookupFormerOwner(
  db: Database | Transaction,
  table: FormerSlugs,
  { scopeId, slug }: ScopedSlug,
): Promise<number | null> {
  const [row] = await db
    .select({ ownerId: table.ownerId })
    .from(table)
    .where(and(eq(table.scopeId, scopeId), eq(table.slug, slug)));
  return row?.ownerId ?? null;
}

/** A slug that is used again stops redirecting to its former owner. */
export async function claimSlug(tx: Transaction, table: FormerSlugs, { scopeId, slug }: ScopedSlug): Promise<void> {
  await claimSlugs(tx, table, { scopeId, slugs: [slug] });
}

/** Claims several slugs of one scope. */
export async function claimSlugs(
  tx: Transaction,
  table: FormerSlugs,
  { scopeId, slugs }: { scopeId: number; slugs: string[] },
): Promise<void> {
  await tx.delete(table).where(and(eq(table.scopeId, scopeId), inArray(table.slug, slugs)));
}

/** Makes a released slug redirect to its owner. */
export async function keepFormerSlug(
  tx: Transaction,
  table: FormerSlugs,
  former: ScopedSlug & { ownerId: number },
): Promise<void> {
  await tx
    .insert(table)
    .values(former)
    .onConflictDoUpdate({ target: [table.scopeId, table.slug], set: { ownerId: former.ownerId } });
}
