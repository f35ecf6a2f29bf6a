import { randomBytes } from 'node:crypto';
import { and, count, eq, gt, inArray, isNull, min, type SQL, sql } from 'drizzle-orm';
import { uploads } from '~/db/schema/media';
import { diskFull } from '../../base/errors';
import { later, secondsUntil } from '../../base/time';
import { FREE_SPACE_LIMITS, UPLOAD_LIMITS } from '../../limits/media';
import { requireUser } from '../../policy/actor';
import { type Allowed, authorize, may } from '../../policy/authorize';
import { removeObjects } from '../../queue/jobs/media';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { requireSwitch } from '../reference/switches';
import {
  tooManyPictures,
  tooManyUploads,
  uploadError,
  uploadExpired,
  uploadIncomplete,
  uploadNotFound,
  uploadUsed,
  withField,
} from './errors';
import {
  checkUpload,
  contentTypeFor,
  incomingKey,
  isPicture,
  PICTURE_PURPOSES,
  TUS_ENDPOINT,
  UPLOAD_FIELDS,
  type UploadPurpose,
} from './rules';
import type { UploadRequest } from './schema';

export type { UploadPurpose } from './rules';
export type UploadRow = typeof uploads.$inferSelect;
type FileToUpload = Omit<UploadRequest, 'purpose'> & { purpose: UploadPurpose };
export type UsableUpload = Allowed<'upload.use', UploadRow>;

/** Where to send a resumable upload. The client sends the key in the tus metadata. */
export type UploadTicket = { key: string; endpoint: string; fileSize: number; expiresAt: Date };

/** How a client without tus sends its file: with a form POST or a PUT to `url`. */
export type FormTicket = {
  key: string;
  url: string;
  method: 'POST' | 'PUT';
  fields: Record<string, string>;
  headers: Record<string, string>;
  expiresAt: Date;
};

/**
 * Creates a ticket for one resumable upload (server/doors/uploads/uploads.ts).
 * @throws upload.not_mp3, upload.not_audio, upload.not_an_image, upload.audio_too_large, upload.too_large, upload.empty,
 * upload.too_many_open, upload.too_many_pictures, upload.disk_full, switch.off
 */
export async function requestUpload(ctx: Ctx, input: FileToUpload): Promise<UploadTicket> {
  const { key, byteSize, expiresAt } = await createTicket(ctx, input);
  return { key, endpoint: TUS_ENDPOINT, fileSize: byteSize, expiresAt };
}

/** Creates a ticket for an upload in a single request, the only way for REST clients. @throws as requestUpload */
export async function requestFormUpload(ctx: Ctx, input: FileToUpload): Promise<FormTicket> {
  const { key, byteSize, contentType, expiresAt } = await createTicket(ctx, input);
  const target = await ctx.ports.storage.formUpload(incomingKey(key), { maxBytes: byteSize, contentType, expiresAt });
  return { key, ...target, expiresAt };
}

async function createTicket(ctx: Ctx, input: FileToUpload): Promise<UploadRow> {
  const { userId, creatorId } = requireUser(ctx);
  await requireSwitch(ctx, 'uploads', { subject: userId, creatorId });
  const problem = checkUpload(input, ctx.settings);
  if (problem) throw uploadError(problem, input.fileName);
  await assertDiskSpace(ctx, input.fileSize);
  return transact(ctx, async (tx) => {
    // requests of one user wait for each other, so that each counts the tickets of the others
    await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${userId}`}, 0))`);
    await assertTicketsLeft(tx, userId);
    if (isPicture(input.purpose)) await assertPicturesLeft(tx, userId);
    const [ticket] = await tx.db
      .insert(uploads)
      .values({
        key: randomBytes(16).toString('hex'),
        userId,
        purpose: input.purpose,
        fileName: input.fileName,
        contentType: contentTypeFor(input, ctx.settings) ?? '',
        byteSize: input.fileSize,
        createdAt: ctx.now(),
        expiresAt: later(ctx.now(), UPLOAD_LIMITS.lifetime),
      })
      .returning();
    return ticket!;
  });
}

type Counting = Pick<Ctx, 'db' | 'now'>;

/** Limits unused tickets, as each may store 300 MB for a day. @throws upload.too_many_open */
async function assertTicketsLeft(ctx: Counting, userId: number): Promise<void> {
  const { tickets, seconds } = await countTickets(ctx, userId, isNull(uploads.usedAt));
  if (tickets >= UPLOAD_LIMITS.openTickets) throw tooManyUploads({ seconds });
}

/** Limits pictures, each of which is stored in several sizes. @throws upload.too_many_pictures */
async function assertPicturesLeft(ctx: Counting, userId: number): Promise<void> {
  const { tickets, seconds } = await countTickets(ctx, userId, inArray(uploads.purpose, [...PICTURE_PURPOSES]));
  if (tickets >= UPLOAD_LIMITS.pictures) throw tooManyPictures({ seconds });
}

/** The user's tickets that have not expired, and the seconds until the first of them does. */
async function countTickets(ctx: Counting, userId: number, which: SQL): Promise<{ tickets: number; seconds: number }> {
  const [found] = await ctx.db
    .select({ tickets: count(), first: min(uploads.expiresAt) })
    .from(uploads)
    .where(and(eq(uploads.userId, userId), gt(uploads.expiresAt, ctx.now()), which));
  return { tickets: found?.tickets ?? 0, seconds: secondsUntil(found?.first ?? ctx.now(), ctx.now()) };
}

/** Keeps a reserve: Postgres does not recover from a full disk without an operator. @throws upload.disk_full */
export async function assertDiskSpace(ctx: Pick<Ctx, 'ports'>, bytes: number): Promise<void> {
  const free = await ctx.ports.storage.freeBytes();
  if (free !== null && free - bytes < FREE_SPACE_LIMITS.reserve) throw diskFull();
}

/**
 * Finds a ticket that still accepts bytes. With `ownerOnly` the caller must own it; otherwise the key is sufficient, as
 * in a signed URL. @throws upload.not_found, upload.used, upload.expired
 */
export async function findOpenUpload(ctx: Ctx, key: string, { ownerOnly }: { ownerOnly: boolean }): Promise<UploadRow> {
  const [upload] = await ctx.db.select().from(uploads).where(eq(uploads.key, key));
  if (!upload || (ownerOnly && !may(ctx, 'upload.use', upload))) throw uploadNotFound();
  if (upload.usedAt) throw uploadUsed();
  if (upload.expiresAt <= ctx.now()) throw uploadExpired();
  return upload;
}

/** Records that all bytes of an upload are in storage. Safe to repeat. */
export async function receiveUpload(ctx: Ctx, key: string, bytes: number): Promise<void> {
  await ctx.db
    .update(uploads)
    .set({ receivedAt: ctx.now(), byteSize: bytes })
    .where(and(eq(uploads.key, key), isNull(uploads.usedAt)));
}

/**
 * Finds the caller's own upload for one purpose, completely received and unused.
 * @throws upload.not_found, upload.incomplete, upload.used, upload.expired: each on the purpose's field
 */
export async function findUsableUpload(
  ctx: Ctx,
  { key, purpose }: { key: string; purpose: UploadPurpose },
): Promise<UsableUpload> {
  const [upload] = await ctx.db.select().from(uploads).where(eq(uploads.key, key));
  const field = UPLOAD_FIELDS[purpose];
  const isUsable = upload && may(ctx, 'upload.use', upload) && upload.purpose === purpose;
  if (!isUsable) throw withField(uploadNotFound(), field);
  if (upload.usedAt) throw withField(uploadUsed(), field);
  if (upload.expiresAt <= ctx.now()) throw withField(uploadExpired(), field);
  if (!(await isReceived(ctx, upload))) throw withField(uploadIncomplete(), field);
  return authorize(ctx, 'upload.use', upload);
}

/** Asks storage if no receipt was recorded: the file was sent directly to S3, or a crash lost the receipt. */
async function isReceived(ctx: Ctx, { key, receivedAt, byteSize }: UploadRow): Promise<boolean> {
  if (receivedAt) return true;
  const object = await ctx.ports.storage.head(incomingKey(key));
  return object?.bytes === byteSize;
}

/**
 * Marks an upload as used, in the transaction that uses it. A key works once, and only until it expires: after that the
 * sweep may delete the file. @throws upload.used for the second of two concurrent calls, upload.expired
 */
export async function consumeUpload(tx: TxCtx, { key, purpose, expiresAt }: UsableUpload): Promise<void> {
  const error = expiresAt <= tx.now() ? uploadExpired() : uploadUsed();
  const used = await tx.db
    .update(uploads)
    .set({ usedAt: tx.now() })
    .where(and(eq(uploads.key, key), isNull(uploads.usedAt), gt(uploads.expiresAt, tx.now())))
    .returning({ key: uploads.key });
  if (used.length === 0) throw withField(error, UPLOAD_FIELDS[purpose]);
  // covers and promos are already stored elsewhere; for other purposes, the jobs that read the file delete it
  if (purpose !== 'episode_audio' && purpose !== 'chapter_image' && purpose !== 'subscribers' && purpose !== 'contacts')
    await tx.jobs.enqueue(removeObjects, { keys: [incomingKey(key)] });
}

export type FetchedFile = { key: string; userId: number; fileName: string; bytes: number };

/**
 * Records a file that was fetched from another server to an upload's key, in the transaction that uses it. The sweep
 * deletes it like the files of other uploads.
 */
export async function recordFetchedAudio(tx: TxCtx, { key, userId, fileName, bytes }: FetchedFile): Promise<void> {
  const now = tx.now();
  const times = { createdAt: now, receivedAt: now, usedAt: now, expiresAt: later(now, UPLOAD_LIMITS.lifetime) };
  const file = { key, userId, fileName, byteSize: bytes, contentType: 'audio/mpeg' };
  await tx.db
    .insert(uploads)
    .values({ ...file, ...times, purpose: 'episode_audio' })
    .onConflictDoNothing();
}
