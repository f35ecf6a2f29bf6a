import type { Money } from '../../base/money';
import type { IdempotencyKey } from './book-port';
import type { Dispute, Reference, Refund, RefundReason } from './objects';

type NewRefund = {
  /** Defaults to all that is left. */
  amount?: Money;
  reason?: RefundReason;
  reference: Reference;
  /** Takes back the connected account's share, and returns the platform's fee. */
  takeBackShare?: boolean;
  /** Returns the platform's fee of a payment on a connected account, in proportion. */
  returnFee?: boolean;
};

/** Payments that go back to the payer: by us, or by the bank. */
export type ReturnOperations = {
  /** Repeating the key repeats a refund, for a day, but not a failure. */
  refund(payment: string, input: NewRefund, key: IdempotencyKey): Promise<Refund>;
  listRefunds(payment: string): Promise<Refund[]>;
  /** Sends the evidence for the payment, at most once. */
  answerDispute(dispute: string, text: string, key: IdempotencyKey): Promise<Dispute>;
  acceptDispute(dispute: string, key: IdempotencyKey): Promise<Dispute>;
};
