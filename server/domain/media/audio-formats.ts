import { type ByteSource, readSlice } from '../../audio/bytes';
import { CONVERTIBLE_FORMATS, detectOtherFormat } from '../../audio/container';
import { headTags } from '../../audio/id3';
import { formatName } from './rules';

/** The number of bytes from which the audio check recognizes another format. */
const FIRST_BYTES = 512;

/**
 * The format of a file that is not an MP3, by its first bytes after the tags; null if it may be an MP3. The spelling is
 * the common one.
 */
export async function otherFormat(file: ByteSource): Promise<string | null> {
  const tags = await headTags(file);
  const format = detectOtherFormat(await readSlice(file, tags.at(-1)?.end ?? 0, FIRST_BYTES));
  // some players can play these, and the check gives the reason
  return format === null || format === 'free format' ? null : formatName(format);
}

/** Whether a format is converted to MP3, by its name as `otherFormat` returns it. */
export const isConvertibleName = (name: string): boolean =>
  CONVERTIBLE_FORMATS.some((format) => formatName(format) === name);
