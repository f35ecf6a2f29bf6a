import { z } from 'zod';
import type { CoverUrls } from '../../../domain/media/rules';
import type { SerializerContext } from '../../../rest/call';

export const url = z.url();
/** ISO 8601 in UTC. */
export const instant = z.iso.datetime();

/** The absolute URL of a picture. */
export const pictureUrl = (urls: CoverUrls, ctx: SerializerContext): string => ctx.urls.media(urls.jpg);
