/** The behaviour of a test card. Numbers and names come from Stripe's page "Test card numbers". */
export type CardBehaviour = {
  number: string;
  /** The name after `pm_card_`. */
  token: string;
  brand: 'visa' | 'mastercard' | 'amex';
  /** The country that issued it; the United States by default. */
  country?: string;
  /** Every charge is declined with this code. */
  declines?: { code: string; declineCode: string };
  /** The card can be attached to a customer, but every charge is declined. */
  declinesAfterAttaching?: boolean;
  /** `always`: every payment requires authentication; `setup`: not off-session payments after setup. */
  authentication?: 'always' | 'setup';
  /** The first charge succeeds, later off-session ones are declined. This card is ours; Stripe has none like it. */
  failsAtRenewal?: boolean;
  /** `asksFirst`: the bank opens an inquiry, which takes no money. */
  disputes?: { reason: 'fraudulent' | 'product_not_received'; asksFirst?: true };
  /** What comes before a dispute: the bank's report of fraud, or a review of the payment. */
  warns?: 'fraud' | 'review';
  /** The later result of a refund. */
  refunds?: 'fail' | 'succeed_later';
  /** Funds are available immediately. */
  bypassesPending?: boolean;
};

const declined = (declineCode: string, code = 'card_declined') => ({ declines: { code, declineCode } });

export const TEST_CARDS: CardBehaviour[] = [
  { number: '4242424242424242', token: 'visa', brand: 'visa' },
  { number: '5555555555554444', token: 'mastercard', brand: 'mastercard' },
  { number: '378282246310005', token: 'amex', brand: 'amex' },
  { number: '4000007240000007', token: 'es', brand: 'visa', country: 'ES' },
  { number: '4000002760000016', token: 'de', brand: 'visa', country: 'DE' },
  { number: '4000008260000000', token: 'gb', brand: 'visa', country: 'GB' },
  { number: '4000004840008001', token: 'mx', brand: 'visa', country: 'MX' },
  { number: '4000000000000077', token: 'bypassPending', brand: 'visa', bypassesPending: true },
  { number: '4000000000000002', token: 'visa_chargeDeclined', brand: 'visa', ...declined('generic_decline') },
  {
    number: '4000000000009995',
    token: 'visa_chargeDeclinedInsufficientFunds',
    brand: 'visa',
    ...declined('insufficient_funds'),
  },
  { number: '4000000000009987', token: 'visa_chargeDeclinedLostCard', brand: 'visa', ...declined('lost_card') },
  { number: '4000000000009979', token: 'visa_chargeDeclinedStolenCard', brand: 'visa', ...declined('stolen_card') },
  {
    number: '4000000000000069',
    token: 'chargeDeclinedExpiredCard',
    brand: 'visa',
    ...declined('expired_card', 'expired_card'),
  },
  {
    number: '4000000000000127',
    token: 'chargeDeclinedIncorrectCvc',
    brand: 'visa',
    ...declined('incorrect_cvc', 'incorrect_cvc'),
  },
  {
    number: '4000000000000119',
    token: 'chargeDeclinedProcessingError',
    brand: 'visa',
    ...declined('processing_error', 'processing_error'),
  },
  {
    number: '4000000000006975',
    token: 'visa_chargeDeclinedVelocityLimitExceeded',
    brand: 'visa',
    ...declined('card_velocity_exceeded'),
  },
  { number: '4100000000000019', token: 'chargeDeclinedFraudulent', brand: 'visa', ...declined('fraudulent') },
  {
    number: '4000000000000341',
    token: 'chargeCustomerFail',
    brand: 'visa',
    declinesAfterAttaching: true,
    ...declined('generic_decline'),
  },
  { number: '4000002760003184', token: 'authenticationRequired', brand: 'visa', authentication: 'always' },
  { number: '4000002500003155', token: 'authenticationRequiredOnSetup', brand: 'visa', authentication: 'setup' },
  {
    number: '4000008260003178',
    token: 'authenticationRequiredChargeDeclinedInsufficientFunds',
    brand: 'visa',
    authentication: 'always',
    ...declined('insufficient_funds'),
  },
  { number: '4000000000000259', token: 'createDispute', brand: 'visa', disputes: { reason: 'fraudulent' } },
  {
    number: '4000000000002685',
    token: 'createDisputeProductNotReceived',
    brand: 'visa',
    disputes: { reason: 'product_not_received' },
  },
  {
    number: '4000000000001976',
    token: 'createDisputeInquiry',
    brand: 'visa',
    disputes: { reason: 'fraudulent', asksFirst: true },
  },
  { number: '4000000000005423', token: 'createIssuerFraudRecord', brand: 'visa', warns: 'fraud' },
  { number: '4000000000009235', token: 'riskLevelElevated', brand: 'visa', warns: 'review' },
  { number: '4000000000005126', token: 'refundFail', brand: 'visa', refunds: 'fail' },
  { number: '4000000000007726', token: 'pendingRefund', brand: 'visa', refunds: 'succeed_later' },
  { number: '4000000000000044', token: 'sandbox_failsAtRenewal', brand: 'visa', failsAtRenewal: true },
];

export const cardByNumber = (number: string) => TEST_CARDS.find((card) => card.number === number.replace(/\D/g, ''));
export const cardByToken = (id: string) => TEST_CARDS.find(({ token }) => id === `pm_card_${token}`);

/** Stripe's messages for common declines ("Decline codes"). */
export const DECLINE_MESSAGES: Record<string, string> = {
  generic_decline: 'Your card was declined.',
  insufficient_funds: 'Your card has insufficient funds.',
  lost_card: 'Your card was declined.',
  stolen_card: 'Your card was declined.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
  card_velocity_exceeded:
    'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  fraudulent: 'Your card was declined.',
  authentication_required: 'Your card was declined. This transaction requires authentication.',
};
