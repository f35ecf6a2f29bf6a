import { type Param, sql } from 'drizzle-orm';

/**
 * An array of values without special characters, as one text: the driver escapes each value of other arrays, and can't
 * write arrays of dates. The statement casts it, as in `${plainArray(ids)}::bigint[]`.
 */
export const plainArray = (values: readonly (string | number | boolean)[]): Param => sql.param(`{${values.join(',')}}`);
