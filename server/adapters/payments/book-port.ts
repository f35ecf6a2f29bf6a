import type { AnyMoney, Money } from '../../base/money';

/** An idempotency key: repeating a mutation with its key returns the first result. */
export type IdempotencyKey = string;

/** A part of a list, newest first. `after`: the last id of the previous page. `limit`: 100 at most. */
export type Page = { after?: string; limit: number };

/** An account's balance at the provider, by currency: available for payouts now, or pending for some days. */
export type Balance = { available: AnyMoney[]; pending: AnyMoney[] };

/**
 * A change of a balance. `amount` is negative for money that leaves; `net` is the amount less the fee, which is what
 * the balance changed by. `provider_fee`: the provider's charges besides its part of a payment.
 */
export type BookEntry = {
  id: string;
  kind:
    | 'charge'
    | 'refund'
    | 'refund_failure'
    | 'dispute'
    | 'dispute_reversal'
    | 'transfer'
    | 'transfer_reversal'
    | 'application_fee'
    | 'application_fee_refund'
    | 'payout'
    | 'payout_reversal'
    | 'provider_fee'
    | 'other';
  amount: AnyMoney;
  fee: AnyMoney;
  net: AnyMoney;
  /** The amount in the currency of its payment, if the provider has converted it; null also if the rate does not fit. */
  original: AnyMoney | null;
  /** The charge, refund, dispute, transfer, fee or payout. */
  source: string | null;
  /** Set for a charge, a refund or a dispute. */
  payment: string | null;
  /** For an application fee and its refunds: the fee; and for the fee itself, the charge on the connected account. */
  feeId: string | null;
  charge: string | null;
  /** For a transfer and its reversals: the transfer. */
  transfer: string | null;
  at: Date;
  availableAt: Date;
};

/** A transfer from our balance at the provider to our bank account. */
export type Payout = {
  id: string;
  amount: AnyMoney;
  status: 'pending' | 'in_transit' | 'paid' | 'canceled' | 'failed';
  /** Made by the provider's schedule. */
  automatic: boolean;
  /** The provider's failure code. */
  failure: string | null;
  arrivesAt: Date;
  createdAt: Date;
};

/** A connected account's part of a payment. */
export type Transfer = {
  id: string;
  amount: AnyMoney;
  reversed: AnyMoney;
  account: string | null;
  /** Null for a transfer without a payment. */
  charge: string | null;
  createdAt: Date;
};

/** Our part of a payment on a connected account. `charge`: that payment's charge, at the account. */
export type ApplicationFee = {
  id: string;
  amount: AnyMoney;
  refunded: AnyMoney;
  account: string;
  charge: string;
  createdAt: Date;
};

/** A part of a list, newest first, since a moment. */
export type BookPage = Page & { since?: Date };

/** The provider's own books: balances and their changes, payouts, and shares of payments. */
export type BookOperations = {
  /** The account's present balance. */
  balance(): Promise<Balance>;
  /** Everything that changed the balance. */
  listBookEntries(page: BookPage): Promise<BookEntry[]>;
  listPayouts(page: BookPage): Promise<Payout[]>;
  /** Sends an amount of our balance to our bank account. `conflict` if there is not enough. */
  payOut(amount: Money, key: IdempotencyKey): Promise<Payout>;
  listTransfers(page: BookPage): Promise<Transfer[]>;
  /** The fees of payments on connected accounts. */
  listApplicationFees(page: BookPage): Promise<ApplicationFee[]>;
  /**
   * Takes back a connected account's part of a payment, for example after a lost dispute. @param amount defaults to all
   * that is left. `conflict` for a payment that was not shared, or if less is left.
   */
  recoverShare(payment: string, amount: Money | undefined, key: IdempotencyKey): Promise<Transfer>;
};
