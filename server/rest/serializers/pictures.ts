import { type CoverUrls, SINGLE_WEBP_WIDTH } from '../../domain/media/rules';
import type { SerializerContext } from '../call';

/** Absolute URLs of a picture. */
export function pictureUrls(urls: CoverUrls, ctx: SerializerContext): { jpg: string; webp: string } {
  return { jpg: ctx.urls.media(urls.jpg), webp: ctx.urls.media(urls.webp[SINGLE_WEBP_WIDTH]) };
}
