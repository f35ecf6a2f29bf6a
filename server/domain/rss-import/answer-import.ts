import { and, eq, gt, inArray } from 'drizzle-orm';
import { rssImports } from '~/db/schema/rss-import';
import { OPEN_STATUSES } from '~/db/values/rss-import';
import { hashToken } from '../../auth/token-hash';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { recordActivity } from '../team/activity';
import { codeNotFound, notWaiting, validationLinkExpired } from './errors';
import { findOwnImport } from './queries';
import { readFeed } from './read-feed';
import { isFinal, provesOwnership } from './rules';
import type { AnswerImport, FindImport, ImportLink } from './schema';
import { startNext } from './start-imports';
import { type ConfirmationView, type ImportRow, toConfirmationView } from './views';

/** The request in a link, without using the link up: mail scanners open links. @throws import.link_expired */
export async function openConfirmation(ctx: Ctx, { token }: ImportLink): Promise<ConfirmationView> {
  return toConfirmationView(await findByToken(ctx, token));
}

/**
 * The owner's answer. Repeating it is harmless; after an import was confirmed, the link still cancels it.
 * @throws import.link_expired
 */
export async function answerImport(ctx: Ctx, { token, action }: AnswerImport): Promise<ConfirmationView> {
  const found = await findByToken(ctx, token);
  await transact(ctx, async (tx) => {
    if (action === 'cancel') await endImport(tx, found.id);
    else await confirmImport(tx, found.id, { provedByEmail: true });
  });
  return toConfirmationView(await findByToken(ctx, token));
}

/** @throws import.link_expired, also for a link that never existed */
async function findByToken(ctx: Ctx, token: string): Promise<ImportRow> {
  const [row] = await ctx.db
    .select()
    .from(rssImports)
    .where(eq(rssImports.tokenHash, hashToken(token)));
  const isExpired = row?.status === 'expired' || (row?.status === 'awaiting_proof' && row.expiresAt <= ctx.now());
  if (!row || isExpired) throw validationLinkExpired();
  return row;
}

/**
 * Reads the feed again and looks for the code, as `podcast:txt` or in the show's description.
 * @throws import.code_not_found, import.not_waiting, fetch.*
 */
export async function proveByFeed(ctx: Ctx, { id }: FindImport): Promise<void> {
  const found = authorize(ctx, 'product.manage', await findOwnImport(ctx, id));
  if (found.status !== 'awaiting_proof' || found.expiresAt <= ctx.now()) throw notWaiting();
  const { feed } = await readFeed(ctx, found.feedUrl);
  if (!provesOwnership(feed, found.proofCode)) throw codeNotFound({ code: found.proofCode });
  await transact(ctx, (tx) => confirmImport(tx, id, { provedByEmail: false }));
}

async function confirmImport(tx: TxCtx, id: number, { provedByEmail }: { provedByEmail: boolean }): Promise<void> {
  const isWaiting = and(eq(rssImports.status, 'awaiting_proof'), gt(rssImports.expiresAt, tx.now()));
  await tx.db
    .update(rssImports)
    .set({ status: 'confirmed', provedByEmail, confirmedAt: tx.now(), updatedAt: tx.now() })
    .where(and(eq(rssImports.id, id), isWaiting));
  await startNext(tx);
}

/** Stops an import. Imported episodes stay. Repeating it is harmless. @throws import.not_found */
export async function cancelImport(ctx: Ctx, { id }: FindImport): Promise<void> {
  const found = authorize(ctx, 'product.manage', await findOwnImport(ctx, id));
  if (isFinal(found.status)) return;
  const { creatorId, preview } = found;
  await transact(ctx, async (tx) => {
    await endImport(tx, id);
    const params = { name: preview.title };
    await recordActivity(tx, { creatorId, action: 'import.cancelled', subjectId: id, params });
  });
}

/** Cancels the import without a check of permissions. @returns whether this call has cancelled it */
export async function endImport(tx: TxCtx, id: number): Promise<boolean> {
  const ended = await tx.db
    .update(rssImports)
    .set({ status: 'cancelled', endedAt: tx.now(), updatedAt: tx.now() })
    .where(and(eq(rssImports.id, id), inArray(rssImports.status, OPEN_STATUSES)))
    .returning({ id: rssImports.id });
  await startNext(tx);
  return ended.length > 0;
}
