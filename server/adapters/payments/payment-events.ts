import type { PaymentWarning, Reference } from './objects';

type EventOf<T extends string, F extends object> = { type: T } & F;
/** An event of the provider. The object may have changed since: fetch it. */
export type PaymentEvent = { id: string; at: Date; account: string | null; live: boolean } & (
  | EventOf<'checkout_completed' | 'checkout_expired', { checkout: string }>
  | EventOf<'subscription_changed' | 'subscription_ended' | 'trial_ending', { subscription: string }>
  | EventOf<
      'invoice_paid' | 'invoice_failed' | 'invoice_needs_customer',
      { invoice: string; subscription: string | null }
    >
  /** The provider's payload does not name the invoice: see `Payment.invoice`. */
  | EventOf<'payment_succeeded' | 'payment_failed', { payment: string; customer: string | null; reference: Reference }>
  /** The provider's fee is known, or another detail has changed. */
  | EventOf<'charge_changed', { payment: string | null }>
  | EventOf<'refunded', { payment: string | null; customer: string | null; reference: Reference }>
  | EventOf<'refund_changed', { refund: string; payment: string | null }>
  | EventOf<'dispute_opened' | 'dispute_changed' | 'dispute_closed', { dispute: string; payment: string | null }>
  | EventOf<'payment_warning', { kind: PaymentWarning['kind']; warning: string; payment: string | null }>
  /** `customer`: for a removed card, the customer that it belonged to. */
  | EventOf<'card_added' | 'card_changed' | 'card_removed', { card: string; customer: string | null }>
  | EventOf<'account_changed', { connected: string }>
  /** `account` is no longer connected: its owner has disconnected it. */
  | EventOf<'account_disconnected', object>
  /** An event that we do not use; we still answer it with 200. */
  | EventOf<'other', { name: string }>
);
