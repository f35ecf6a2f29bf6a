import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { automations } from '~/db/schema/automations';
import { editions, editionVersions } from '~/db/schema/newsletter';
import { authorize } from '../../policy/authorize';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { editionNotFound, versionNotFound } from './errors';

export type EditionRow = typeof editions.$inferSelect;

export const whereEdition = ({ creatorId, id }: { creatorId: number; id: number }): SQL | undefined =>
  and(eq(editions.creatorId, creatorId), eq(editions.id, id), isNull(editions.removedAt));

/** @throws newsletter.edition_not_found */
export async function findEditionRow(
  { db }: Pick<Ctx, 'db'>,
  key: { creatorId: number; id: number },
): Promise<EditionRow> {
  const [row] = await db.select().from(editions).where(whereEdition(key));
  if (!row) throw editionNotFound();
  return row;
}

type Version = { id: number; version: number };

/** What an edition was at one of its versions. @throws newsletter.version_not_found */
export async function findVersion({ db }: Pick<Ctx, 'db'>, { id, version }: Version) {
  const { title, preheader, content } = editionVersions;
  const isIt = and(eq(editionVersions.editionId, id), eq(editionVersions.revision, version));
  const [row] = await db.select({ title, preheader, content }).from(editionVersions).where(isIt);
  if (!row) throw versionNotFound();
  return row;
}

/**
 * Locked until the end of the transaction, to be changed. What people get about their payments is for members who may
 * read those, also as a step of an automation. @throws newsletter.edition_not_found, common.role_not_allowed
 */
export async function lockEdition(tx: TxCtx, key: { creatorId: number; id: number }): Promise<EditionRow> {
  const [row] = await tx.db.select().from(editions).where(whereEdition(key)).for('update');
  if (!row) throw editionNotFound();
  if (row.automationId !== null && (await triggerOf(tx, row.automationId)) !== 'sign_up')
    authorize(tx, 'product.readBuyers', { creatorId: row.creatorId });
  return row;
}

async function triggerOf({ db }: TxCtx, automationId: number) {
  const [row] = await db
    .select({ trigger: automations.trigger })
    .from(automations)
    .where(eq(automations.id, automationId));
  return row?.trigger;
}

/** Like `lockEdition`, for what steps of automations are never: sent, scheduled or deleted alone. */
export async function lockOrdinary(tx: TxCtx, key: { creatorId: number; id: number }): Promise<EditionRow> {
  const edition = await lockEdition(tx, key);
  if (edition.automationId !== null) throw editionNotFound();
  return edition;
}

/** Editions that are no steps of automations. */
export const isOrdinary = (): SQL => isNull(editions.automationId);

/** The steps that an automation has; those that were removed only answer the links of their emails. */
export const isStepOf = (automationId: number): SQL | undefined =>
  and(eq(editions.automationId, automationId), isNull(editions.removedAt));
