import { z } from 'zod';
import { fields } from '../../base/fields';
import { isTimeZone } from '../../base/time';
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

export type ShowOverviewInput = z.infer<typeof showOverview>;
export type CreatorStatisticsInput = z.infer<typeof creatorStatistics>;
export type ShowStatisticsInput = z.infer<typeof showStatistics>;
export type EpisodeStatisticsInput = z.infer<typeof episodeStatistics>;
export type MonthReportInput = z.infer<typeof monthReport>;
export type CreatorSalesInput = z.infer<typeof creatorSales>;
export type ShowSalesInput = z.infer<typeof showSales>;
