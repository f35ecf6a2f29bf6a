import { and, eq, isNull } from 'drizzle-orm';
import { type Inputs, preparedSelect } from '~/db/driver/prepared-select';
import { creators, domains } from '~/db/schema/creators';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { creatorNotFound } from './errors';

export type CreatorRow = typeof creators.$inferSelect;

/** @throws creator.not_found, also if the page is closed */
export async function findCreator(ctx: Ctx, id: number): Promise<CreatorRow> {
  const [row] = await ctx.db
    .select()
    .from(creators)
    .where(and(eq(creators.id, id), isNull(creators.closedAt)));
  if (!row) throw creatorNotFound();
  return row;
}

/** Also finds closed pages, because their payments and donations stay. @throws creator.not_found */
export async function findCreatorRecord({ db }: Pick<Ctx, 'db'>, id: number): Promise<CreatorRow> {
  const [row] = await db.select().from(creators).where(eq(creators.id, id));
  if (!row) throw creatorNotFound();
  return row;
}

/**
 * A creator whose page is open, locked until the end of the transaction. Inserts that refer to the creator don't wait
 * for it: they come before locks of products, which come before this one (decision 0177). @throws creator.not_found
 */
export async function lockCreator(tx: TxCtx, id: number): Promise<CreatorRow> {
  const isOpen = and(eq(creators.id, id), isNull(creators.closedAt));
  const [row] = await tx.db.select().from(creators).where(isOpen).for('no key update');
  if (!row) throw creatorNotFound();
  return row;
}

export async function lookupCreatorOfUser(ctx: Ctx, userId: number): Promise<CreatorRow | null> {
  const [row] = await ctx.db.select().from(creators).where(eq(creators.userId, userId));
  return row ?? null;
}

const selectByDomain = preparedSelect((db, { domain }: Inputs<{ domain: string }>) =>
  db
    .select({ creator: creators })
    .from(domains)
    .innerJoin(creators, eq(creators.id, domains.creatorId))
    .where(eq(domains.domain, domain)),
);

/** The creator with this current or former domain, even if the page is closed. */
export async function lookupCreatorByDomain(ctx: Pick<Ctx, 'db'>, domain: string): Promise<CreatorRow | null> {
  const [row] = await selectByDomain(ctx.db, { domain });
  return row?.creator ?? null;
}

/** Whether a creator may have a domain: no other creator ever had it. */
export async function isDomainFree(ctx: Ctx, domain: string, creatorId: number | null): Promise<boolean> {
  const [row] = await ctx.db.select({ creatorId: domains.creatorId }).from(domains).where(eq(domains.domain, domain));
  return row === undefined || row.creatorId === creatorId;
}
