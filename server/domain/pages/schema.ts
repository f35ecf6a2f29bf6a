import { z } from 'zod';
import { fields, listFields } from '../../base/fields';
import { ADDRESS_LIMITS } from '../../limits/addresses';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { TRANSCRIPT_SEARCH_LIMITS } from '../../limits/transcripts';

const domain = z.string().max(ADDRESS_LIMITS.domainLength);
const slug = z.string().max(ADDRESS_LIMITS.slugLength);

export const creatorPageInput = z.object({ domain });
export const productPageInput = z.object({
  domain,
  slug,
  page: listFields.page,
  season: fields.whole(1, EPISODE_LIMITS.maxSeason).optional(),
  search: listFields.search,
  /** Which of the passages with these words. */
  part: fields.whole(1, TRANSCRIPT_SEARCH_LIMITS.parts).optional(),
});
export const episodePageInput = z.object({ domain, slug, episodeSlug: slug });

export const soundbitePageInput = episodePageInput.extend({ id: fields.id() });

export const episodePreviewInput = z.object({ domain, token: z.string().max(ADDRESS_LIMITS.slugLength) });

export const publicAddressInput = z.object({ type: fields.oneOf(['episode', 'product', 'creator']), id: fields.id() });

export const embedInput = z.object({ id: fields.id() });

/** A public page: a player by its id, or a creator's page, a show or an episode by its address. */
export const reportedPageInput = z.union(
  [
    z.strictObject({ type: z.enum(['episode', 'product']), id: fields.id() }),
    z.strictObject({ domain, slug: slug.optional(), episodeSlug: slug.optional() }),
  ],
  { error: 'report.page_unknown' },
);

export type ReportedPageInput = z.infer<typeof reportedPageInput>;
export type EmbedInput = z.infer<typeof embedInput>;
export type CreatorPageInput = z.infer<typeof creatorPageInput>;
export type ProductPageInput = z.infer<typeof productPageInput>;
export type EpisodePageInput = z.infer<typeof episodePageInput>;
export type SoundbitePageInput = z.infer<typeof soundbitePageInput>;
export type EpisodePreviewInput = z.infer<typeof episodePreviewInput>;
export type PublicAddressInput = z.infer<typeof publicAddressInput>;
