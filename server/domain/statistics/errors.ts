import { defineError } from '../../base/errors';

export const rangeReversed = defineError('statistics.range_reversed', 'invalid', { field: 'from' });
export const rangeInFuture = defineError('statistics.range_in_future', 'invalid', { field: 'from' });
export const rangeTooLong = defineError('statistics.range_too_long', 'invalid', { field: 'from' });
/** A chart of so many points shows nothing. */
export const tooManyPoints = defineError('statistics.too_many_points', 'invalid', { field: 'granularity' });
/** A report is about a whole month. */
export const monthNotOver = defineError('statistics.month_not_over', 'invalid', { field: 'month' });

export const historyNotCsv = defineError('history.not_csv', 'invalid', { field: 'statisticsKey' });
export const historyEmpty = defineError('history.empty', 'invalid', { field: 'statisticsKey' });
export const historyMissing = defineError('history.file_missing', 'invalid', { field: 'statisticsKey' });
export const tooManyHistoryRows = defineError('history.too_many_rows', 'invalid', { field: 'statisticsKey' });
/** The file does not tell the columns or the order of its dates, and nobody has. */
export const historyUnclear = defineError('history.unclear', 'invalid');
export const historyNothing = defineError('history.nothing', 'invalid', { field: 'statisticsKey' });
export const tooManyHistorySources = defineError('history.too_many_sources', 'limit_reached');
export const tooManyHistoryFigures = defineError('history.too_many_figures', 'limit_reached');
export const historyNameRequired = defineError('history.name_required', 'invalid', { field: 'name' });
export const historyNotConfirmed = defineError('history.not_confirmed', 'invalid', { field: 'confirmation' });
/** Also for a link that was revoked, or never existed: unknown visitors must not learn which. */
export const sponsorLinkExpired = defineError('statistics.sponsor_link_expired', 'expired');
export const sponsorLinkNotFound = defineError('statistics.sponsor_link_not_found', 'not_found');
export const tooManySponsorLinks = defineError('statistics.too_many_sponsor_links', 'limit_reached');
