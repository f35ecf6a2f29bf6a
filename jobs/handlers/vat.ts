import { checkNumber, recheckNumbers } from '~/server/domain/vat/checking';
import { checkVatNumber, recheckVatNumbers } from '../catalog';
import { handle } from './handle';

export const vatHandlers = [
  handle(checkVatNumber, (payload, ctx) => checkNumber(ctx, payload)),
  handle(recheckVatNumbers, (_, ctx) => recheckNumbers(ctx)),
];
