import { defineError } from '../../base/errors';

/** No rate was given for the `currency` of sales in the `quarter`. */
export const rateMissing = defineError('vat.rate_missing', 'invalid');
export const quarterUnknown = defineError('vat.quarter_unknown', 'invalid');
/** The quarter has more rows than can be read at once; a part of them would give a wrong return. */
export const tooManyRows = defineError('vat.too_many_rows', 'invalid');
