import { and, eq, inArray } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { glossaries } from '~/db/schema/glossaries';
import { products } from '~/db/schema/products';
import { later } from '../../base/time';
import { GLOSSARY_LIMITS } from '../../limits/transcripts';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { findUnfitLine } from '../../transcript/glossary';
import { findProductRecord } from '../products/queries';
import type { FindProduct } from '../products/schema';
import { recordAbout } from '../team/activity';
import { glossaryChanged, glossaryLineUnfit } from './errors';
import type { SaveGlossary } from './schema';

/** The lines of a show's glossary. `version`: null before the first save. A save states the version that it replaces. */
export type GlossaryView = { version: Date | null; lines: string[] };

/** @throws product.not_found */
export async function getGlossary(ctx: Ctx, { id, kind }: FindProduct): Promise<GlossaryView> {
  const found = await findProductRecord(ctx, id, kind);
  const product = authorize(ctx, 'product.manage', found.product);
  const stored = await lookupGlossary(ctx, product.id);
  return { version: stored?.updatedAt ?? null, lines: stored?.lines ?? [] };
}

/**
 * Replaces the glossary that the caller has read.
 * @throws product.not_found, glossary.line_unfit, glossary.already_changed
 */
export async function saveGlossary(ctx: Ctx, input: SaveGlossary): Promise<{ version: Date }> {
  const found = await findProductRecord(ctx, input.id, input.kind);
  const product = authorize(ctx, 'product.manage', found.product);
  const { lines, editOf } = input;
  const line = findUnfitLine(lines);
  if (line !== null) throw glossaryLineUnfit({ line: line.slice(0, GLOSSARY_LIMITS.shownLength) });
  return transact(ctx, async (tx) => {
    const now = tx.now();
    // two saves within a millisecond have different versions, too
    const updatedAt = editOf !== null && editOf >= now ? later(editOf, 1) : now;
    const values = { lines, updatedAt };
    const isRead = and(eq(glossaries.productId, product.id), editOf ? eq(glossaries.updatedAt, editOf) : undefined);
    const stored = editOf
      ? await tx.db.update(glossaries).set(values).where(isRead).returning({ id: glossaries.productId })
      : await tx.db
          .insert(glossaries)
          .values({ productId: product.id, ...values })
          .onConflictDoNothing()
          .returning({ id: glossaries.productId });
    if (stored.length === 0) throw glossaryChanged();
    await recordAbout(tx, 'product.glossary_changed', product);
    return { version: updatedAt };
  });
}

/** Null if the show has none. */
export async function lookupGlossary({ db }: Pick<Ctx, 'db'>, productId: number) {
  const [row] = await db.select().from(glossaries).where(eq(glossaries.productId, productId));
  return row ?? null;
}

/** Deletes the glossaries of a user whose account is deleted, also of shows that stay for their buyers. */
export async function eraseGlossaries(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db
    .select({ id: products.id })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .where(eq(creators.userId, userId));
  await ctx.db.delete(glossaries).where(inArray(glossaries.productId, own));
}
