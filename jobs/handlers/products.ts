import { completeFreeConversion, recoverFreeConversions } from '~/server/domain/access/free-conversion';
import { completeConversion, recoverConversions } from '../catalog';
import { handle } from './handle';

export const productHandlers = [
  handle(completeConversion, (payload, ctx) => completeFreeConversion(ctx, payload)),
  handle(recoverConversions, (_, ctx) => recoverFreeConversions(ctx)),
];
