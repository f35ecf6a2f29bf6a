import type { CoverUrls } from '../../domain/media/rules';
import type { SerializerContext } from '../call';

/** Width in pixels of the WebP for legacy clients: a cover on a phone at double density. */
const WEBP_WIDTH = 640;

/** Absolute URLs of a picture. */
export function pictureUrls(urls: CoverUrls, ctx: SerializerContext): { jpg: string; webp: string } {
  return { jpg: ctx.urls.media(urls.jpg), webp: ctx.urls.media(urls.webp[WEBP_WIDTH]) };
}
