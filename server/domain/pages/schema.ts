import { z } from 'zod';
import { listFields } from '../../fields';

const domain = z.string().max(100);
const slug = z.string().max(200);

export const creatorPageInput = z.object({ domain });
export const productPageInput = z.object({ domain, slug, page: listFields.page });
export const episodePageInput = z.object({ domain, slug, episodeSlug: slug });

export type CreatorPageInput = z.infer<typeof creatorPageInput>;
export type ProductPageInput = z.infer<typeof productPageInput>;
export type EpisodePageInput = z.infer<typeof episodePageInput>;
