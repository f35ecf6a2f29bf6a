import { defineError } from '../../base/errors';

/** `currency`: of sales of the `quarter`, for which no rate was given. */
export const rateMissing = defineError('vat.rate_missing', 'invalid');
export const quarterUnknown = defineError('vat.quarter_unknown', 'invalid');
/** More rows than can be read at once; a part of them would be a wrong return. */
export const tooManyRows = defineError('vat.too_many_rows', 'invalid');
