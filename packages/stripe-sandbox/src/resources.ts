import { eventRoutes } from './api/event-routes';
import type { Expansions } from './api/expand';
import type { Route } from './api/route';
import { testClockRoutes } from './api/test-clocks';
import { webhookEndpointRoutes } from './api/webhook-endpoints';
import { couponRoutes } from './billing/coupons';
import { customerRoutes } from './billing/customer-routes';
import { confirmationSecret, invoicePaymentRoutes, invoicePayments } from './billing/invoice-payments';
import { invoiceRoutes } from './billing/invoices';
import { priceRoutes } from './billing/prices';
import { productRoutes } from './billing/products';
import { promotionCodeRoutes } from './billing/promotion-codes';
import { subscriptionItemRoutes } from './billing/subscription-items';
import { subscriptionRoutes } from './billing/subscriptions';
import { lineItemsOf } from './checkout/orders';
import { checkoutSessionRoutes } from './checkout/sessions';
import { DUE_HANDLERS } from './due-handlers';
import { accountRoutes } from './money/accounts';
import { applicationFeeRoutes } from './money/application-fees';
import { balanceRoutes } from './money/balance';
import { balanceSettingsRoutes } from './money/balance-settings';
import { chargeRoutes } from './money/charges';
import { disputeRoutes } from './money/disputes';
import { ownAccountRoutes } from './money/own-account';
import { paymentIntentRoutes } from './money/payment-intents';
import { paymentMethodRoutes } from './money/payment-methods';
import { payoutRoutes } from './money/payouts';
import { refundRoutes, refundsOf } from './money/refunds';
import { setupIntentRoutes } from './money/setup-intents';
import { transferRoutes } from './money/transfers';
import { warningRoutes } from './money/warnings';

/** Every API route of this sandbox; the order matters only within a resource. */
export const RESOURCES: Route[] = [
  ...accountRoutes,
  ...applicationFeeRoutes,
  ...balanceRoutes,
  ...balanceSettingsRoutes,
  ...chargeRoutes,
  ...checkoutSessionRoutes,
  ...couponRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...eventRoutes,
  ...invoicePaymentRoutes,
  ...invoiceRoutes,
  ...ownAccountRoutes,
  ...paymentIntentRoutes,
  ...paymentMethodRoutes,
  ...payoutRoutes,
  ...priceRoutes,
  ...productRoutes,
  ...promotionCodeRoutes,
  ...refundRoutes,
  ...setupIntentRoutes,
  ...subscriptionItemRoutes,
  ...subscriptionRoutes,
  ...testClockRoutes(DUE_HANDLERS),
  ...transferRoutes,
  ...warningRoutes,
  ...webhookEndpointRoutes,
];

export const EXPANSIONS: Expansions = {
  'invoice.payments': invoicePayments,
  'invoice.confirmation_secret': confirmationSecret,
  'checkout.session.line_items': lineItemsOf,
  'charge.refunds': refundsOf,
};
