import { accountRoutes } from './accounts';
import { applicationFeeRoutes } from './application-fees';
import { balanceRoutes } from './balance';
import { chargeRoutes } from './charges';
import { checkoutSessionRoutes } from './checkout-sessions';
import { couponRoutes } from './coupons';
import { customerRoutes } from './customers';
import { disputeRoutes } from './disputes';
import { eventRoutes } from './events';
import { invoicePaymentRoutes } from './invoice-payments';
import { invoiceRoutes } from './invoices';
import { paymentIntentRoutes } from './payment-intents';
import { paymentMethodRoutes } from './payment-methods';
import { payoutRoutes } from './payouts';
import { priceRoutes } from './prices';
import { productRoutes } from './products';
import { promotionCodeRoutes } from './promotion-codes';
import { refundRoutes } from './refunds';
import type { Route } from './routes';
import { setupIntentRoutes } from './setup-intents';
import { subscriptionRoutes } from './subscriptions';
import { testClockRoutes } from './test-clocks';
import { transferRoutes } from './transfers';
import { webhookEndpointRoutes } from './webhook-endpoints';

/** Every address that this sandbox answers as Stripe would; the order only matters within a resource. */
export const RESOURCES: Route[] = [
  ...accountRoutes,
  ...applicationFeeRoutes,
  ...balanceRoutes,
  ...chargeRoutes,
  ...checkoutSessionRoutes,
  ...couponRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...eventRoutes,
  ...invoicePaymentRoutes,
  ...invoiceRoutes,
  ...paymentIntentRoutes,
  ...paymentMethodRoutes,
  ...payoutRoutes,
  ...priceRoutes,
  ...productRoutes,
  ...promotionCodeRoutes,
  ...refundRoutes,
  ...setupIntentRoutes,
  ...subscriptionRoutes,
  ...testClockRoutes,
  ...transferRoutes,
  ...webhookEndpointRoutes,
];
