import { and, desc, eq, gt, isNotNull, isNull, lt, lte } from 'drizzle-orm';
import { accountExports } from '~/db/schema/accounts';
import { exportPath } from '../../../base/public-paths';
import { DAYS, earlier, later, secondsUntil } from '../../../base/time';
import { EXPORT_LIMITS } from '../../../limits/accounts';
import { requireUser } from '../../../policy/actor';
import { buildExport as buildExportJob } from '../../../queue/jobs/accounts';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { assertDiskSpace } from '../../media/uploads';
import { isSignature } from '../../notifications/signed-tokens';
import { queueAccountEmail } from '../base/email-links';
import { exportExpired, exportedToday } from '../base/errors';
import { findUser } from '../base/queries';
import type { DownloadExport } from '../base/schema';
import { contentsOf, filesBytes } from './data-contents';

const SIGNED_FOR = 'export link';

/** Storage key of an export, known before its row says that it is stored: a job may be killed in between. */
export const exportKey = (exportId: string) => `exports/${exportId}.zip`;

export type ExportState = { state: 'preparing' | 'sent' | 'failed'; requestedAt: Date; expiresAt: Date | null };

/** The current user's last export; null if there is none whose zip still exists. The link is only in the email. */
export async function exportState(ctx: Ctx): Promise<ExportState | null> {
  const { userId } = requireUser(ctx);
  const [row] = await ctx.db
    .select()
    .from(accountExports)
    .where(
      and(eq(accountExports.userId, userId), gt(accountExports.requestedAt, earlier(ctx.now(), EXPORT_LIMITS.shown))),
    )
    .orderBy(desc(accountExports.requestedAt))
    .limit(1);
  if (!row) return null;
  const { requestedAt, readyAt, expiresAt, failedAt } = row;
  return { state: readyAt ? 'sent' : failedAt ? 'failed' : 'preparing', requestedAt, expiresAt };
}

/** Requests an export of all data that we hold about the current user, once a day. @throws account.exported_today */
export async function requestExport(ctx: Ctx): Promise<void> {
  const { userId } = requireUser(ctx);
  await transact(ctx, async (tx) => {
    const requestedAt = tx.now();
    const day = requestedAt.toISOString().slice(0, 10);
    const [row] = await tx.db
      .insert(accountExports)
      .values({ userId, day, requestedAt })
      .onConflictDoNothing()
      .returning({ id: accountExports.id });
    if (!row) throw exportedToday({ seconds: secondsUntil(later(new Date(day), DAYS(1)), requestedAt) });
    await tx.jobs.enqueue(buildExportJob, { exportId: row.id });
  });
}

/**
 * Builds the zip, stores it, and emails the link. A killed job starts again and replaces the object.
 * @throws upload.disk_full
 */
export async function buildExport(ctx: Ctx, { exportId }: { exportId: string }): Promise<void> {
  const key = exportKey(exportId);
  const [found] = await ctx.db.select().from(accountExports).where(eq(accountExports.id, exportId));
  // the account was deleted after an attempt that was killed
  if (!found) return ctx.ports.storage.remove(key);
  if (found.readyAt || found.failedAt) return;
  const user = await findUser(ctx, found.userId);
  await assertDiskSpace(ctx, await filesBytes(ctx, user.id));
  const { writePersonalData } = await import('./zipped-files');
  await ctx.ports.storage.put(key, writePersonalData(ctx, contentsOf(ctx, user)), { contentType: 'application/zip' });
  const stored = await ctx.ports.storage.head(key);
  const isKept = await transact(ctx, async (tx) => {
    const readyAt = tx.now();
    const expiresAt = later(readyAt, EXPORT_LIMITS.lifetime);
    const own = eq(accountExports.id, exportId);
    const ready = await tx.db
      .update(accountExports)
      .set({ objectKey: key, bytes: stored?.bytes ?? 0, readyAt, expiresAt })
      .where(and(own, isNull(accountExports.readyAt)))
      .returning({ id: accountExports.id });
    if (ready.length > 0)
      await queueAccountEmail(tx, user, { topic: 'export_ready', url: linkTo(tx, exportId, expiresAt) });
    return (await tx.db.$count(accountExports, own)) > 0;
  });
  // the account was deleted in the meantime
  if (!isKept) await ctx.ports.storage.remove(key);
}

/** Works without a session, so that the link can be opened on another device; its signature is the proof. */
function linkTo(tx: TxCtx, id: string, expiresAt: Date): string {
  const expires = expiresAt.getTime();
  return tx.urls.app(`${exportPath(id)}?expires=${expires}&signature=${signature(tx, { id, expires })}`);
}

const signature = ({ vault }: Pick<Ctx, 'vault'>, { id, expires }: { id: string; expires: number }) =>
  vault.fingerprint(`${id} ${expires}`, SIGNED_FOR);

/**
 * The object of a link, which works any number of times until it expires. @throws account.export_expired, also if the
 * link is forged
 */
export async function findExport(
  ctx: Pick<Ctx, 'db' | 'vault' | 'now'>,
  link: DownloadExport,
): Promise<{ objectKey: string; day: string }> {
  if (!isSignature(link.signature, signature(ctx, link)) || link.expires <= ctx.now().getTime()) throw exportExpired();
  const [row] = await ctx.db
    .select({ objectKey: accountExports.objectKey, day: accountExports.day })
    .from(accountExports)
    .where(and(eq(accountExports.id, link.id), gt(accountExports.expiresAt, ctx.now())));
  if (!row?.objectKey) throw exportExpired();
  return { objectKey: row.objectKey, day: row.day };
}

/** Deletes expired exports, and gives up exports whose job failed, so that users can request another one. */
export async function sweepExports(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const expired = await ctx.db
    .select({ id: accountExports.id, key: accountExports.objectKey })
    .from(accountExports)
    .where(and(isNotNull(accountExports.objectKey), lte(accountExports.expiresAt, now)))
    .limit(EXPORT_LIMITS.swept);
  for (const { id, key } of expired) {
    if (key) await ctx.ports.storage.remove(key);
    await ctx.db.update(accountExports).set({ objectKey: null }).where(eq(accountExports.id, id));
  }
  const unfinished = and(isNull(accountExports.readyAt), isNull(accountExports.failedAt));
  const givenUp = await ctx.db
    .update(accountExports)
    .set({ failedAt: now })
    .where(and(unfinished, lt(accountExports.requestedAt, earlier(now, EXPORT_LIMITS.patience))))
    .returning({ id: accountExports.id });
  for (const { id } of givenUp) await ctx.ports.storage.remove(exportKey(id));
  await ctx.db.delete(accountExports).where(lt(accountExports.requestedAt, earlier(now, EXPORT_LIMITS.kept)));
}
