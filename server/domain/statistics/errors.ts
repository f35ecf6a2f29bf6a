import { defineError } from '../../base/errors';

export const rangeReversed = defineError('statistics.range_reversed', 'invalid', { field: 'from' });
export const rangeInFuture = defineError('statistics.range_in_future', 'invalid', { field: 'from' });
export const rangeTooLong = defineError('statistics.range_too_long', 'invalid', { field: 'from' });
/** A chart of so many points shows nothing. */
export const tooManyPoints = defineError('statistics.too_many_points', 'invalid', { field: 'granularity' });
/** A report is about a whole month. */
export const monthNotOver = defineError('statistics.month_not_over', 'invalid', { field: 'month' });
