import { fetchCard } from './cards';
import { withReason } from './conflict-reasons';
import { paymentsNotFound } from './errors';
import { CHARGE, toPayment } from './payments';
import type { PaymentsPort } from './port';
import { describeItem, statementSuffix } from './sellers';
import { paymentShare } from './sharing';
import type { CallStripe } from './stripe-call';

type Operations = Pick<PaymentsPort, 'charge'>;

export function chargeOperations(callStripe: CallStripe): Operations {
  return {
    charge: ({ customer, card, amount, name, seller, sharing, platformFee, reference }, idempotencyKey) =>
      withReason(
        callStripe(async (stripe) => {
          const params = {
            amount: amount.minor,
            currency: amount.currency,
            customer,
            payment_method: card,
            allowed_payment_method_types: ['card' as const],
            confirm: true,
            off_session: true,
            description: describeItem(name, seller),
            statement_descriptor_suffix: seller && statementSuffix(seller),
            metadata: reference,
            ...(await paymentShare(stripe, { price: amount, sharing, platformFee })),
            expand: [CHARGE],
          };
          const intent = await stripe.paymentIntents.create(params, { idempotencyKey });
          return toPayment(intent, { invoice: null, subscription: null });
        }),
        // Stripe reports only a sentence for a card that was removed or belongs to another customer
        async () =>
          (await callStripe((stripe) => fetchCard(stripe, card))).customer === customer ? null : paymentsNotFound(),
      ),
  };
}
