import type { Ctx } from '../../ctx';
import type { UsableUpload } from './uploading';

/**
 * Reads a picture, checks it and stores its sizes; answers the base key (`images/{user}/{sha256}`).
 * Outside a transaction: it takes a while, and objects that no row names are harmless.
 * @throws media.not_a_picture, media.not_square ('Please crop image.'), upload.too_large
 */
export declare function storeCover(ctx: Ctx, upload: UsableUpload): Promise<string>;
