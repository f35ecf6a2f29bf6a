import { type ByteSource, slice } from './bytes';

/** A tag that is larger than this holds no picture that a podcast needs. */
const MAX_TAG_BYTES = 32 * 1024 * 1024;
/** The tag reader wants to see the beginning of the audio too. */
const AUDIO_BYTES = 8192;

/** The cover inside the ID3 tag of `headBytes` at the file's beginning, as it was put there; null when there is none. */
export async function embeddedPicture(source: ByteSource, headBytes: number): Promise<Buffer | null> {
  if (headBytes === 0 || headBytes > MAX_TAG_BYTES) return null;
  const head = await slice(source, 0, headBytes + AUDIO_BYTES);
  const { parseBuffer, selectCover } = await import('music-metadata');
  const { common } = await parseBuffer(head, { mimeType: 'audio/mpeg', size: source.size });
  const picture = selectCover(common.picture);
  return picture ? Buffer.from(picture.data) : null;
}
