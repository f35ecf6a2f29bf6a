import { z } from 'zod';
import { fields, listFields } from '../../base/fields';
import { CURRENCIES } from '../../base/money';
import { ADDRESS_LIMITS } from '../../limits/addresses';
import { CONTENT_LIMITS } from '../../limits/content';
import { EARNINGS_LIMITS, EXAMPLE_FIGURES } from '../../limits/earnings';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { PAGE_LIMITS } from '../../limits/paging';
import { type PlanCode, PRICED_PLANS } from '../../limits/plans';
import { TRANSCRIPT_SEARCH_LIMITS } from '../../limits/transcripts';
import { discoverProducts } from '../products/schema';
import { EU_COUNTRIES } from '../vat/kinds';

const domain = z.string().max(ADDRESS_LIMITS.domainLength);
const slug = z.string().max(ADDRESS_LIMITS.slugLength);

/** `part`: which of the passages with the searched words. */
const searched = { search: listFields.search, part: fields.whole(1, TRANSCRIPT_SEARCH_LIMITS.parts).optional() };

export const discoverPassagesInput = discoverProducts
  .pick({ kind: true, category: true, language: true, price: true })
  .extend({
    search: z.string().trim().min(1).max(PAGE_LIMITS.searchLength),
    part: fields.whole(1, TRANSCRIPT_SEARCH_LIMITS.parts).default(1),
  });
export const creatorPageInput = z.object({ domain, ...searched });
export const productPageInput = z.object({
  domain,
  slug,
  page: listFields.page,
  season: fields.whole(1, EPISODE_LIMITS.maxSeason).optional(),
  ...searched,
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

/** A number of payments. An empty field counts as none. The page reads the spellings of its language. */
const payments = (example: number) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? wholeNumber(value.trim()) : value),
      z
        .number('earnings.count_invalid')
        .min(0, 'earnings.count_invalid')
        .max(EARNINGS_LIMITS.payments, 'earnings.count_too_high')
        .refine(Number.isInteger, 'earnings.count_invalid'),
    )
    .default(example);
const wholeNumber = (text: string) => (text === '' ? 0 : /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN);

const oneOf = (values: readonly string[]) => fields.oneOf(values as [string, ...string[]]);
/** Listeners outside the European Union. */
export const ELSEWHERE = 'other';

/** The calculator. Missing figures are those of the example; the price of the example depends on the interval. */
export const earningsInput = z.object({
  plan: (oneOf(PRICED_PLANS) as z.ZodType<PlanCode, PlanCode>).default(EXAMPLE_FIGURES.plan),
  currency: fields.oneOf(CURRENCIES).optional(),
  country: oneOf([...EU_COUNTRIES, ELSEWHERE]).optional(),
  every: fields.oneOf(['month', 'year']).default('month'),
  subscribers: payments(EXAMPLE_FIGURES.subscribers),
  price: fields.amount().optional(),
  donations: payments(EXAMPLE_FIGURES.donations),
  donation: fields.amount().default(EXAMPLE_FIGURES.donation),
  sales: payments(EXAMPLE_FIGURES.sales),
  salePrice: fields.amount().default(EXAMPLE_FIGURES.salePrice),
});

export type EarningsInput = z.infer<typeof earningsInput>;
export type ReportedPageInput = z.infer<typeof reportedPageInput>;
export type EmbedInput = z.infer<typeof embedInput>;
export type DiscoverPassages = z.infer<typeof discoverPassagesInput>;
export type CreatorPageInput = z.infer<typeof creatorPageInput>;
export type ProductPageInput = z.infer<typeof productPageInput>;
export type EpisodePageInput = z.infer<typeof episodePageInput>;
export type SoundbitePageInput = z.infer<typeof soundbitePageInput>;
export type EpisodePreviewInput = z.infer<typeof episodePreviewInput>;
export type PublicAddressInput = z.infer<typeof publicAddressInput>;

/** The path of a page of the site, with its language and the slug of a text. */
export const sitePictureInput = z.object({ path: z.string().max(CONTENT_LIMITS.slugLength + 60) });
export type FindSitePicture = z.infer<typeof sitePictureInput>;
