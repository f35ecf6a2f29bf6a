import type { Scope } from './api-scopes';

/**
 * What a creator's own programs can be told about. Triggers write the events in the transaction of the fact, and name
 * them as here (docs/decisions/0401).
 */
export const WEBHOOK_EVENTS = [
  'show.created',
  'show.updated',
  'show.archived',
  'show.deleted',
  'episode.created',
  'episode.published',
  'episode.updated',
  'episode.deleted',
  'import.finished',
  'subscription.started',
  'subscription.renewed',
  'subscription.cancelled',
  'subscription.ended',
  'purchase.completed',
  'donation.received',
  'refund.made',
  'payout.requested',
  'payout.paid',
  'contact.created',
  'contact.updated',
  'contact.unsubscribed',
  'edition.sent',
  'report.ready',
  'downloads.milestone',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/**
 * What a key or an app may read if it gets the event, also as a message that is sent elsewhere. Null: facts that `webhooks`
 * alone is enough for. The report of a month says what came in.
 */
export const SCOPE_OF_EVENT: Record<WebhookEvent, Scope | null> = {
  'show.created': null,
  'show.updated': null,
  'show.archived': null,
  'show.deleted': null,
  'episode.created': null,
  'episode.published': null,
  'episode.updated': null,
  'episode.deleted': null,
  'import.finished': 'imports:read',
  'subscription.started': 'subscribers:read',
  'subscription.renewed': 'subscribers:read',
  'subscription.cancelled': 'subscribers:read',
  'subscription.ended': 'subscribers:read',
  'purchase.completed': 'money:read',
  'donation.received': 'money:read',
  'refund.made': 'money:read',
  'payout.requested': 'money:read',
  'payout.paid': 'money:read',
  'contact.created': 'contacts:read',
  'contact.updated': 'contacts:read',
  'contact.unsubscribed': 'contacts:read',
  'edition.sent': 'editions:read',
  'report.ready': 'money:read',
  'downloads.milestone': 'statistics:read',
};

/** Ids and the facts that the event is about. Programs read the rest over the API, as it is then. */
export type WebhookData = Record<string, string | number | null>;

/** `webhook`: signed JSON. The others get a message that people read. */
export const ENDPOINT_KINDS = ['webhook', 'slack', 'discord'] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** Why nothing is sent to an endpoint. `gone`: it answered 410. `failing`: for days, every attempt has failed. */
export const DISABLED_REASONS = ['owner', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** `failed`: the last attempt has failed. */
export const WEBHOOK_STATES = ['waiting', 'delivered', 'failed'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];
