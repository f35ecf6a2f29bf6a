import { checkNumber, recheckNumbers } from '~/server/domain/vat/check-tax-number';
import { checkVatNumber, recheckVatNumbers } from '~/server/queue/jobs/vat';
import { handle } from './handle';

export const vatHandlers = [
  handle(checkVatNumber, (payload, ctx) => checkNumber(ctx, payload)),
  handle(recheckVatNumbers, (_, ctx) => recheckNumbers(ctx)),
];
