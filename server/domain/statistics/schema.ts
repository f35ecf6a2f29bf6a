import { z } from 'zod';
import { HISTORY_HOSTS, HISTORY_PERIODS } from '~/db/values/imported-plays';
import { fields } from '../../base/fields';
import { isTimeZone } from '../../base/time';
import { DATE_ORDERS } from '../../base/written-dates';
import { HISTORY_LIMITS, SPONSOR_LIMITS } from '../../limits/statistics';
import { KIND_NAMES } from '../products/kinds';
import { GRANULARITIES } from './rules';

const blankToUndefined = (value: unknown) => (value === '' ? undefined : value);

/**
 * A period of local days, both included, and filters that combine. Without `from`, the last 30 days until `to`, which is
 * today by default. `zone`: the creator's by default. `country`: a code of ISO 3166. `app`: an id of the table of apps.
 */
const period = {
  from: fields.day().optional(),
  to: fields.day().optional(),
  zone: z.preprocess(
    blankToUndefined,
    z
      .string({ error: 'field.invalid' })
      .max(64, { error: 'field.invalid' })
      .refine(isTimeZone, { error: 'field.invalid' })
      .optional(),
  ),
  granularity: z.preprocess(blankToUndefined, fields.oneOf(GRANULARITIES).optional()),
};
const filters = {
  country: z.preprocess(
    blankToUndefined,
    z
      .string({ error: 'field.invalid' })
      .regex(/^[A-Z]{2}$/, { error: 'field.invalid' })
      .optional(),
  ),
  app: z.preprocess(
    blankToUndefined,
    z
      .string({ error: 'field.invalid' })
      .regex(/^[\w.-]{1,60}$/, { error: 'field.invalid' })
      .optional(),
  ),
};

const kind = fields.oneOf(KIND_NAMES).optional();

export const showOverview = z.object({ id: fields.id(), kind });
export const creatorStatistics = z.object({ ...period, ...filters });
export const showStatistics = z.object({ id: fields.id(), kind, ...period, ...filters });
/** Countries and apps of one episode are kept by month, and not together, so they can't be filtered. */
export const episodeStatistics = z.object({ id: fields.id(), kind, ...period });

/** Without a month, the last one that is over. */
export const monthReport = z.object({ month: z.preprocess(blankToUndefined, fields.month().optional()) });
/** Money has no country and no app. */
export const creatorSales = z.object(period);
export const showSales = z.object({ id: fields.id(), kind, ...period });

const place = () => z.preprocess(blankToUndefined, fields.whole(0, HISTORY_LIMITS.cells - 1).optional());

/**
 * A file with the statistics of another host, and what the creator says about it: the places of its columns, the order
 * of its dates, and the span of a figure. `episode`: `none` for figures of the whole show.
 */
export const previewHistory = z.object({
  id: fields.id(),
  kind,
  statisticsKey: fields.line(HISTORY_LIMITS.keyLength, 'history.file_required'),
  host: z.preprocess(blankToUndefined, fields.oneOf(HISTORY_HOSTS).optional()),
  date: place(),
  plays: place(),
  episode: z.union([z.literal('none'), place()]).optional(),
  order: z.preprocess(blankToUndefined, fields.oneOf(DATE_ORDERS).optional()),
  period: z.preprocess(blankToUndefined, fields.oneOf(HISTORY_PERIODS).optional()),
});
/** `name`: of a host that is not in our list. */
export const saveHistory = previewHistory.extend({
  name: z.preprocess(blankToUndefined, fields.line(HISTORY_LIMITS.nameLength).optional()),
});
export const removeHistory = z.object({
  id: fields.id(),
  kind,
  sourceId: fields.id(),
  confirmation: z.string({ error: 'field.invalid' }).max(1000, { error: 'field.too_long' }),
});

export type PreviewHistory = z.infer<typeof previewHistory>;
export type SaveHistory = z.infer<typeof saveHistory>;
export type RemoveHistory = z.infer<typeof removeHistory>;
/** `days`: until the link expires. `namesPrivate`: whether the page names private episodes. */
export const createSponsorLink = z.object({
  id: fields.id(),
  kind,
  name: fields.line(SPONSOR_LIMITS.nameLength, 'statistics.sponsor_name_required'),
  days: z.coerce
    .number({ error: 'field.invalid' })
    .refine((days) => (SPONSOR_LIMITS.lifetimes as readonly number[]).includes(days), { error: 'field.invalid' }),
  namesPrivate: fields.flag().default(false),
  /** For the report of a campaign of the show. */
  campaignId: z.preprocess(blankToUndefined, fields.id().optional()),
});
/** Without a campaign, the links to the figures of the show. */
export const listSponsorLinks = z.object({
  id: fields.id(),
  kind,
  campaignId: z.preprocess(blankToUndefined, fields.id().optional()),
});
export const findSponsorLink = z.object({ id: fields.id(), kind, linkId: fields.id() });
export const openSponsorPage = z.object({ token: z.string().max(200, { error: 'statistics.sponsor_link_expired' }) });

export type ShowOverviewInput = z.infer<typeof showOverview>;
export type CreatorStatisticsInput = z.infer<typeof creatorStatistics>;
export type ShowStatisticsInput = z.infer<typeof showStatistics>;
export type EpisodeStatisticsInput = z.infer<typeof episodeStatistics>;
export type MonthReportInput = z.infer<typeof monthReport>;
export type CreatorSalesInput = z.infer<typeof creatorSales>;
export type ShowSalesInput = z.infer<typeof showSales>;
export type CreateSponsorLink = z.infer<typeof createSponsorLink>;
export type ListSponsorLinks = z.infer<typeof listSponsorLinks>;
export type FindSponsorLink = z.infer<typeof findSponsorLink>;
export type OpenSponsorPage = z.infer<typeof openSponsorPage>;
