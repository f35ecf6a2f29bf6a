import { randomBytes } from 'node:crypto';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { uploads } from '~/db/schema/media';
import { removeObjects } from '~/jobs/catalog';
import type { Ctx, TxCtx } from '../../ctx';
import { FREE_SPACE_LIMITS, UPLOAD_LIMITS } from '../../limits/media';
import { requireUser } from '../../policy/actor';
import { type Allowed, authorize, may } from '../../policy/authorize';
import { later } from '../../time';
import {
  diskFull,
  tooManyUploads,
  UPLOAD_ERRORS,
  uploadExpired,
  uploadIncomplete,
  uploadNotFound,
  uploadUsed,
  withField,
} from './errors';
import { checkUpload, contentTypeFor, incomingKey, TUS_ENDPOINT, type UploadPurpose } from './rules';
import type { UploadRequest } from './schema';

export type { UploadPurpose } from './rules';
export type UploadRow = typeof uploads.$inferSelect;
export type UsableUpload = Allowed<'upload.use', UploadRow>;

/** Where a resumable upload goes, with the ticket's key in its metadata. */
export type UploadTicket = { key: string; endpoint: string; fileSize: number; expiresAt: Date };

/** How a client without the tus protocol sends its file: a form or a PUT to `url`. */
export type FormTicket = {
  key: string;
  url: string;
  method: 'POST' | 'PUT';
  fields: Record<string, string>;
  headers: Record<string, string>;
  expiresAt: Date;
};

/**
 * A ticket to send one file resumably (server/http/uploads.ts).
 * @throws upload.not_mp3, upload.not_an_image, upload.audio_too_large, upload.too_large, upload.empty, upload.too_many_open,
 * upload.disk_full
 */
export async function requestUpload(ctx: Ctx, input: UploadRequest): Promise<UploadTicket> {
  const { key, byteSize, expiresAt } = await writeTicket(ctx, input);
  return { key, endpoint: TUS_ENDPOINT, fileSize: byteSize, expiresAt };
}

/** The same for clients that send a file in one go (REST contract, Uploads). @throws as requestUpload */
export async function requestFormUpload(ctx: Ctx, input: UploadRequest): Promise<FormTicket> {
  const { key, byteSize, contentType, expiresAt } = await writeTicket(ctx, input);
  const target = await ctx.ports.storage.formUpload(incomingKey(key), { maxBytes: byteSize, contentType, expiresAt });
  return { key, ...target, expiresAt };
}

async function writeTicket(ctx: Ctx, input: UploadRequest): Promise<UploadRow> {
  const { userId } = requireUser(ctx);
  const fault = checkUpload(input);
  if (fault) throw UPLOAD_ERRORS[fault]();
  await assertFewOpen(ctx, userId);
  await assertDiskSpace(ctx, input.fileSize);
  const [ticket] = await ctx.db
    .insert(uploads)
    .values({
      key: randomBytes(16).toString('hex'),
      userId,
      purpose: input.purpose,
      fileName: input.fileName,
      contentType: contentTypeFor(input) ?? '',
      byteSize: input.fileSize,
      createdAt: ctx.now(),
      expiresAt: later(ctx.now(), UPLOAD_LIMITS.lifetime),
    })
    .returning();
  return ticket!;
}

/** Each ticket may bring 300 MB that lie for a day. @throws upload.too_many_open */
async function assertFewOpen(ctx: Ctx, userId: number): Promise<void> {
  const open = and(eq(uploads.userId, userId), isNull(uploads.usedAt), gt(uploads.expiresAt, ctx.now()));
  if ((await ctx.db.$count(uploads, open)) >= UPLOAD_LIMITS.openTickets) throw tooManyUploads();
}

/** Postgres on a full disk does not come back by itself. @throws upload.disk_full */
export async function assertDiskSpace(ctx: Pick<Ctx, 'ports'>, bytes: number): Promise<void> {
  const free = await ctx.ports.storage.freeBytes();
  if (free !== null && free - bytes < FREE_SPACE_LIMITS.reserve) throw diskFull();
}

/**
 * A ticket that bytes may still come in for. `ownerOnly`: the caller must be who asked for it; else the key alone is the
 * proof, as for signed addresses. @throws upload.not_found, upload.used, upload.expired
 */
export async function findOpenUpload(ctx: Ctx, key: string, { ownerOnly }: { ownerOnly: boolean }): Promise<UploadRow> {
  const [upload] = await ctx.db.select().from(uploads).where(eq(uploads.key, key));
  if (!upload || (ownerOnly && !may(ctx, 'upload.use', upload))) throw uploadNotFound();
  if (upload.usedAt) throw uploadUsed();
  if (upload.expiresAt <= ctx.now()) throw uploadExpired();
  return upload;
}

/** Notes that all bytes of a ticket are in the store under its incoming key. Safe to repeat. */
export async function receiveUpload(ctx: Ctx, key: string, bytes: number): Promise<void> {
  await ctx.db
    .update(uploads)
    .set({ receivedAt: ctx.now(), byteSize: bytes })
    .where(and(eq(uploads.key, key), isNull(uploads.usedAt)));
}

/**
 * The caller's own upload, received whole and not used yet, for one purpose.
 * @throws upload.not_found, upload.incomplete, upload.used, upload.expired: each on `field`
 */
export async function findUsableUpload(
  ctx: Ctx,
  { key, purpose, field }: { key: string; purpose: UploadPurpose; field: string },
): Promise<UsableUpload> {
  const [upload] = await ctx.db.select().from(uploads).where(eq(uploads.key, key));
  const isTheirs = upload && may(ctx, 'upload.use', upload) && upload.purpose === purpose;
  if (!isTheirs) throw withField(uploadNotFound(), field);
  if (upload.usedAt) throw withField(uploadUsed(), field);
  if (upload.expiresAt <= ctx.now()) throw withField(uploadExpired(), field);
  if (!(await hasArrived(ctx, upload))) throw withField(uploadIncomplete(), field);
  return authorize(ctx, 'upload.use', upload);
}

/** A file that went straight to an S3 store is seen there only; so is one whose receipt was lost in a crash. */
async function hasArrived(ctx: Ctx, { key, receivedAt, byteSize }: UploadRow): Promise<boolean> {
  if (receivedAt) return true;
  const object = await ctx.ports.storage.head(incomingKey(key));
  return object?.bytes === byteSize;
}

/**
 * Marks it used, in the transaction that uses it: a key works once, and never when the sweep may have taken its bytes.
 * @throws upload.used for the second of two at once, upload.expired
 */
export async function consumeUpload(tx: TxCtx, { key, purpose, expiresAt }: UsableUpload): Promise<void> {
  const late = expiresAt <= tx.now() ? uploadExpired() : uploadUsed();
  const used = await tx.db
    .update(uploads)
    .set({ usedAt: tx.now() })
    .where(and(eq(uploads.key, key), isNull(uploads.usedAt), gt(uploads.expiresAt, tx.now())))
    .returning({ key: uploads.key });
  if (used.length === 0) throw withField(late, purpose === 'episode_audio' ? 'fileKey' : 'coverKey');
  // a picture was turned into its sizes already; audio is moved away by the job that reads it
  if (purpose !== 'episode_audio') await tx.jobs.enqueue(removeObjects, { keys: [incomingKey(key)] });
}
