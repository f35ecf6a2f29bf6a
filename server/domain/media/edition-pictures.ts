import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { EDITION_LIMITS } from '../../limits/editions';
import { COVER_LIMITS } from '../../limits/media';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { hasKnownSignature, JPEG, loadSharp, readUpload, withSlot } from './covers';
import { notAPicture, tooManyPixels, withField } from './errors';
import { UPLOAD_FIELDS } from './rules';
import type { StoreEditionPicture } from './schema';
import { consumeUpload, findUsableUpload } from './uploads';

/** `src` is a root-relative address; `width` and `height` are in pixels. */
export type EditionPicture = { src: string; width: number; height: number };

/**
 * Stores an uploaded picture for the editions of the creator for whom the user works, as a JPEG or, with transparent
 * parts, a PNG: other formats are missing in Outlook. It belongs to the creator's owner, so that it stays when a member
 * of the team leaves.
 * @throws upload.not_found, upload.incomplete, upload.used, upload.expired, media.not_a_picture,
 * media.too_many_pixels, common.role_not_allowed
 */
export async function storeEditionPicture(ctx: Ctx, { key }: StoreEditionPicture): Promise<EditionPicture> {
  const { id } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const upload = await findUsableUpload(ctx, { key, purpose: 'edition_picture' });
  const { bytes, format, width, height } = await withSlot(async () => convert(await readUpload(ctx, upload.key)));
  const [owner] = await ctx.db.select({ id: creators.userId }).from(creators).where(eq(creators.id, id));
  const name = createHash('sha256').update(bytes).digest('hex');
  const stored = `images/${owner!.id}/${name}/edition.${format === 'png' ? 'png' : 'jpg'}`;
  await ctx.ports.storage.put(stored, bytes, { contentType: `image/${format}` });
  await transact(ctx, (tx) => consumeUpload(tx, upload));
  return { src: `/media/${stored}`, width, height };
}

type Converted = { bytes: Buffer; format: 'jpeg' | 'png'; width: number; height: number };

/** Upright, without metadata such as the place of a photo, and no larger than an email shows. */
async function convert(uploaded: Buffer): Promise<Converted> {
  const sharp = await loadSharp();
  const unreadable = () => withField(notAPicture(), FIELD);
  if (!isKnown(uploaded)) throw unreadable();
  // the limit of pixels is checked below, with a text that gives the reason
  const picture = sharp(uploaded, { limitInputPixels: false, failOn: 'error' });
  const { width, height, hasAlpha } = await picture.metadata().catch(() => Promise.reject(unreadable()));
  const { megapixels } = COVER_LIMITS;
  if (width * height > megapixels * 1_000_000) throw withField(tooManyPixels({ max: megapixels }), FIELD);
  const { pictureWidth, pictureHeight } = EDITION_LIMITS;
  const shrunk = picture
    .autoOrient()
    .resize(pictureWidth, pictureHeight, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const encoded = hasAlpha ? shrunk.png({ palette: true }) : shrunk.jpeg(JPEG);
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true }).catch(() => Promise.reject(unreadable()));
  return { bytes: data, format: hasAlpha ? 'png' : 'jpeg', width: info.width, height: info.height };
}

const FIELD = UPLOAD_FIELDS.edition_picture;

/** JPEG, PNG and WebP. Other files never reach the libraries that parse them, and a GIF would lose its motion. */
const isKnown = (bytes: Buffer): boolean =>
  hasKnownSignature(bytes) || /^RIFF.{4}WEBP/s.test(bytes.toString('latin1', 0, 12));
