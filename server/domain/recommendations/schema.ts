import { z } from 'zod';
import { RECOMMENDED_IN } from '~/db/values/recommendations';
import { fields } from '../../base/fields';
import { categoryPath } from '../../feed/apple-categories';
import { SHOW_RECOMMENDATION_LIMITS } from '../../limits/recommendations';
import { isLanguageCode } from '../reference/rules';
import { AUDIENCE_STEP_NAMES } from './rules';

/** Forms send empty strings for fields that users leave blank. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** Shows that the given show could recommend. */
export const findShows = z.strictObject({
  productId: fields.id(),
  /** Only this show, if it can be recommended. */
  id: optional(fields.id()),
  search: optional(fields.line(SHOW_RECOMMENDATION_LIMITS.searchLength)),
  language: optional(z.string().max(10).refine(isLanguageCode, { error: 'field.invalid' })),
  category: optional(fields.id().refine((id) => categoryPath(id) !== null, { error: 'field.invalid' })),
  size: optional(fields.oneOf(AUDIENCE_STEP_NAMES)),
});

const episodeIds = z.preprocess(
  // a form sends one text
  (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value),
  z.array(fields.id()).max(SHOW_RECOMMENDATION_LIMITS.episodes, { error: 'recommendation.too_many_episodes' }),
);

/** `productId`: the show that recommends. `episodeId`: whose promo plays. */
export const requestRecommendation = z
  .strictObject({
    productId: fields.id(),
    recommendedId: fields.id(),
    episodeId: optional(fields.id()),
    isAtEnd: fields.flag().default(false),
    selection: fields.oneOf(RECOMMENDED_IN).default('all'),
    episodeIds: episodeIds.default([]),
    firstDay: fields.day(),
    lastDay: optional(fields.day()),
    /** Asks the other creator to recommend this show, too. */
    isSwap: fields.flag().default(false),
  })
  .refine(({ selection, episodeIds: chosen }) => selection !== 'chosen' || chosen.length > 0, {
    error: 'recommendation.episodes_required',
    path: ['episodeIds'],
  });

export const findRecommendation = z.strictObject({ id: fields.id() });
export const visitRecommended = z.strictObject({
  token: z.string().max(100, { error: 'recommendation.link_invalid' }),
});
/** Without a show, those of all shows. */
export const listRecommendations = z.strictObject({ productId: fields.id().optional() });
/** Without a creator, the requests of all creators. */
export const changeBlock = z.strictObject({ creatorId: fields.id().optional() });

export type FindShows = z.infer<typeof findShows>;
export type RequestRecommendation = z.infer<typeof requestRecommendation>;
export type FindRecommendation = z.infer<typeof findRecommendation>;
export type VisitRecommended = z.infer<typeof visitRecommended>;
export type ListRecommendations = z.infer<typeof listRecommendations>;
export type ChangeBlock = z.infer<typeof changeBlock>;
