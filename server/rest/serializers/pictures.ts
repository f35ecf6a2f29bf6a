import type { CoverUrls } from '../../domain/media/rules';
import type { Reader } from '../call';

/** Width in pixels of the webp that legacy clients get: a cover on a phone, twice as dense. */
const WEBP_WIDTH = 640;

/** Absolute addresses of a picture. */
export function picture(urls: CoverUrls, reader: Reader): { jpg: string; webp: string } {
  return { jpg: reader.urls.media(urls.jpg), webp: reader.urls.media(urls.webp[WEBP_WIDTH]) };
}
