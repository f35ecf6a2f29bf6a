import { catchUp } from '~/server/domain/billing/catching-up';
import { handleEvent, recoverPayments, syncExpiredCheckout } from '~/server/domain/billing/events';
import { catchUpPayments, handlePaymentEvent, recoverBilling, syncOpenCheckout } from '../catalog';
import { handle } from './handle';

export const billingHandlers = [
  handle(handlePaymentEvent, (payload, ctx) => handleEvent(ctx, payload)),
  handle(syncOpenCheckout, (payload, ctx) => syncExpiredCheckout(ctx, payload)),
  handle(recoverBilling, (_, ctx) => recoverPayments(ctx)),
  handle(catchUpPayments, (_, ctx) => catchUp(ctx)),
];
