import type { uploads } from '~/db/schema/media';
import type { Ctx, TxCtx } from '../../ctx';
import type { Allowed } from '../../policy/authorize';

export type UploadPurpose = 'episode_audio' | 'cover' | 'avatar';
export type UsableUpload = Allowed<'upload.use', typeof uploads.$inferSelect>;

/**
 * The caller's own upload, received whole and not used yet, for one purpose.
 * @throws upload.not_found, upload.incomplete, upload.used: each on `field`
 */
export declare function findUsableUpload(
  ctx: Ctx,
  input: { key: string; purpose: UploadPurpose; field: string },
): Promise<UsableUpload>;

/** Marks it used, in the transaction that uses it: a key works once. @throws upload.used for the second of two at once */
export declare function useUpload(tx: TxCtx, upload: UsableUpload): Promise<void>;
