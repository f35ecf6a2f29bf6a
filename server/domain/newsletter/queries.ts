import { and, eq, type SQL } from 'drizzle-orm';
import { editions } from '~/db/schema/newsletter';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { editionNotFound } from './errors';

export type EditionRow = typeof editions.$inferSelect;

export const whereEdition = ({ creatorId, id }: { creatorId: number; id: number }): SQL | undefined =>
  and(eq(editions.creatorId, creatorId), eq(editions.id, id));

/** @throws newsletter.edition_not_found */
export async function findEditionRow(
  { db }: Pick<Ctx, 'db'>,
  key: { creatorId: number; id: number },
): Promise<EditionRow> {
  const [row] = await db.select().from(editions).where(whereEdition(key));
  if (!row) throw editionNotFound();
  return row;
}

/** Locked until the end of the transaction. @throws newsletter.edition_not_found */
export async function lockEdition(tx: TxCtx, key: { creatorId: number; id: number }): Promise<EditionRow> {
  const [row] = await tx.db.select().from(editions).where(whereEdition(key)).for('update');
  if (!row) throw editionNotFound();
  return row;
}
