import { z } from 'zod';
import { fields } from '../../base/fields';
import { UPLOAD_LIMITS } from '../../limits/media';
import { UPLOAD_PURPOSES } from './rules';

/** A client's description of the file to upload; rules.ts checks it. */
export const uploadRequest = z.object({
  fileName: fields.line(UPLOAD_LIMITS.nameLength),
  contentType: z
    .string({ error: 'field.invalid' })
    .trim()
    .toLowerCase()
    .max(100, { error: 'field.invalid' })
    .default(''),
  fileSize: fields.whole(0, Number.MAX_SAFE_INTEGER),
  purpose: fields.oneOf(UPLOAD_PURPOSES),
});

/** A picture of an edition, by the key of its upload. */
export const storeEditionPicture = z.strictObject({ key: fields.uploadKey() });

/** A promo of an episode. */
export const promoUploadRequest = uploadRequest.omit({ purpose: true }).extend({ episodeId: fields.id() });

export type StoreEditionPicture = z.infer<typeof storeEditionPicture>;
export type PromoUploadRequest = z.infer<typeof promoUploadRequest>;
export type UploadRequest = z.infer<typeof uploadRequest>;
