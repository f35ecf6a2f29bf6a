import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Sharp } from 'sharp';
import { AppError } from '../../base/errors';
import { createSlots } from '../../flow/slots';
import { COVER_LIMITS } from '../../limits/media';
import type { Ctx } from '../../runtime/ctx';
import { notAPicture, notSquare, tooManyPixels, tooSmall, withField } from './errors';
import { incomingKey, minPixelsOf, PICTURE_WIDTHS, UPLOAD_FIELDS } from './rules';
import { deleteStoredObjects } from './sweep-uploads';
import type { UsableUpload } from './uploads';

/** In pixels: cropping tools may round one side up and the other down. */
const SQUARE_TOLERANCE = 2;
export const JPEG = { quality: 86, chromaSubsampling: '4:2:0' } as const;
const WEBP = { quality: 80, effort: 3 } as const;
const PREVIEW_WIDTH = 192;

/**
 * Checks an uploaded picture and stores it in every size. Returns the base key (`images/{user}/{sha256}`).
 * Runs outside the transaction because it takes a while; stored objects without a row are harmless.
 * @throws media.not_a_picture, media.too_many_pixels, media.not_square ('Please crop image.'), media.too_small
 */
export async function storeCover(ctx: Ctx, upload: UsableUpload): Promise<string> {
  return withSlot(async () => processPicture(ctx, await readUpload(ctx, upload.key), targetOf(upload)));
}

/**
 * Checks an uploaded picture by its head, without decoding it. Returns the base key under which `storeCheckedPicture`
 * stores it in a job. @throws as storeCover
 */
export async function checkPicture(ctx: Ctx, upload: UsableUpload): Promise<string> {
  const bytes = await readUpload(ctx, upload.key);
  const target = targetOf(upload);
  await openSquare(bytes, target);
  return baseOf(bytes, target);
}

/** Safe to repeat. @returns false if the picture can't be decoded */
export async function storeCheckedPicture(ctx: Ctx, picture: { uploadKey: string; base: string }): Promise<boolean> {
  const { storage } = ctx.ports;
  const incoming = incomingKey(picture.uploadKey);
  const isWaiting = (await storage.head(incoming)) !== null;
  const folder = Number(picture.base.split('/')[1]);
  const target = { folder, field: UPLOAD_FIELDS.chapter_image, crop: false, minPixels: 0 };
  const isGood = !isWaiting || (await isDecoded(storePicture(ctx, await readUpload(ctx, picture.uploadKey), target)));
  if (isWaiting) await deleteStoredObjects(ctx, [incoming]);
  return isGood;
}

const isDecoded = (stored: Promise<string>) =>
  stored.then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === notAPicture().code) return false;
      throw error;
    },
  );

export const readUpload = async ({ ports }: Ctx, key: string): Promise<Buffer> =>
  buffer(await ports.storage.read(incomingKey(key)));

function targetOf({ purpose, userId }: UsableUpload): PictureTarget {
  const field = purpose === 'avatar' || purpose === 'newsletter_logo' ? UPLOAD_FIELDS[purpose] : 'coverKey';
  return { folder: userId, field, crop: false, minPixels: minPixelsOf(purpose) };
}

/** A decoded picture of 25 megapixels takes about 100 MB, so each process decodes one at a time. */
export const withSlot = createSlots(1);

type PictureTarget = { folder: number; field: string; crop: boolean; minPixels: number };

/**
 * Stores a picture under the hash of its bytes, so that it is processed only once. `crop` keeps the square in its
 * centre.
 */
export function storePicture(ctx: Ctx, bytes: Buffer, target: PictureTarget): Promise<string> {
  return withSlot(() => processPicture(ctx, bytes, target));
}

/**
 * A small WebP of a picture, which is not stored. `signal`: nobody waits for it any more.
 * @throws media.not_a_picture, media.too_many_pixels, the reason of the signal
 */
export function previewPicture(
  bytes: Buffer,
  { width = PREVIEW_WIDTH, signal }: { width?: number; signal?: AbortSignal } = {},
): Promise<Buffer> {
  const target = { folder: 0, field: 'coverKey', crop: true, minPixels: 1 };
  return withSlot(async () => {
    signal?.throwIfAborted();
    const square = await decode(await openSquare(bytes, target), target);
    return resized(square, width).webp(WEBP).toBuffer();
  });
}

async function processPicture(ctx: Ctx, bytes: Buffer, target: PictureTarget): Promise<string> {
  const base = baseOf(bytes, target);
  // comes first, because the same bytes may be stored for a purpose with a smaller minimum size
  const picture = await openSquare(bytes, target);
  // the JPEG is written last, so its presence means that every size exists
  if (await ctx.ports.storage.head(`${base}/full.jpg`)) return base;
  const square = await decode(picture, target);
  for (const width of PICTURE_WIDTHS) {
    const webp = await resized(square, width).webp(WEBP).toBuffer();
    await ctx.ports.storage.put(`${base}/${width}.webp`, webp, { contentType: 'image/webp' });
  }
  const full = await resized(square, COVER_LIMITS.recommendedPixels).jpeg(JPEG).toBuffer();
  await ctx.ports.storage.put(`${base}/full.jpg`, full, { contentType: 'image/jpeg' });
  return base;
}

const baseOf = (bytes: Buffer, { folder }: PictureTarget): string =>
  `images/${folder}/${createHash('sha256').update(bytes).digest('hex')}`;

/**
 * The signatures of JPEG and PNG. Other files, such as an SVG with another extension, never reach the libraries that
 * parse them.
 */
const SIGNATURES = [Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')];

export const hasKnownSignature = (bytes: Buffer): boolean =>
  SIGNATURES.some((signature) => bytes.subarray(0, signature.length).equals(signature));

/** Loads sharp at first use, so that a process that handles no pictures stays small. */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  return sharp;
}

type OpenedPicture = { picture: Sharp; side: number };

/** Checks format, shape and size by the file's head, without decoding it. */
async function openSquare(bytes: Buffer, { field, crop, minPixels: min }: PictureTarget): Promise<OpenedPicture> {
  if (!hasKnownSignature(bytes)) throw withField(notAPicture(), field);
  const sharp = await loadSharp();
  // the limit is checked below, with a text that gives the reason
  const picture = sharp(bytes, { limitInputPixels: false, failOn: 'error' });
  const { format, width, height } = await picture.metadata().catch(() => {
    throw withField(notAPicture(), field);
  });
  if (format !== 'jpeg' && format !== 'png') throw withField(notAPicture(), field);
  const { megapixels } = COVER_LIMITS;
  if (width * height > megapixels * 1_000_000) throw withField(tooManyPixels({ max: megapixels }), field);
  if (!crop && Math.abs(width - height) > SQUARE_TOLERANCE) throw withField(notSquare(), field);
  const side = Math.min(width, height);
  if (side < min) throw withField(tooSmall({ min }), field);
  return { picture, side };
}

/** The pixels, rotated upright and without metadata, such as the place where a photo was taken. */
async function decode({ picture, side }: OpenedPicture, { field }: PictureTarget): Promise<Sharp> {
  const upright = picture.autoOrient().resize(side, side, { fit: 'cover' }).flatten({ background: '#FFFFFF' });
  const { data, info } = await upright
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw withField(notAPicture(), field);
    });
  const sharp = await loadSharp();
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

/** The first bytes of a stored JPEG contain its size, because it has no metadata. */
const HEAD_BYTES = 4096;

/** The pixels on each side of a stored picture; null if it was deleted. */
export async function storedSide(ctx: Ctx, base: string): Promise<number | null> {
  const file = await ctx.ports.storage.open(`${base}/full.jpg`);
  if (!file) return null;
  try {
    const head = new Uint8Array(HEAD_BYTES);
    const read = await file.readInto(head, 0);
    const sharp = await loadSharp();
    const { width } = await sharp(head.subarray(0, read), { failOn: 'none' }).metadata();
    return width;
  } finally {
    await file.close();
  }
}

function resized(square: Sharp, width: number): Sharp {
  return square.clone().resize(width, width, { fit: 'fill', withoutEnlargement: true });
}

/** Stores a plain square, for a show whose own cover can't be used. @returns its base key */
export async function storePlainCover(ctx: Ctx, folder: number): Promise<string> {
  const sharp = await loadSharp();
  const side = COVER_LIMITS.coverMinPixels;
  const square = { width: side, height: side, channels: 3, background: PLAIN_COVER } as const;
  const bytes = await sharp({ create: square }).png().toBuffer();
  return storePicture(ctx, bytes, { folder, field: 'coverKey', crop: true, minPixels: side });
}

/** Whether two base keys contain one picture: each account has a folder of its own. */
export const isSamePicture = (a: string, b: string): boolean => a.split('/').at(-1) === b.split('/').at(-1);

/** The colour of the texts. */
const PLAIN_COVER = '#3A3648';
