import type { WebhookData, WebhookEvent } from '~/db/values/webhook-events';

const SHOW = { id: 12 };
const EPISODE = { id: 345, show_id: 12 };
const SUBSCRIPTION = { id: 67, show_id: 12 };
const PAYOUT = { id: 8, amount_minor: 12_050, currency: 'eur' };
const CONTACT = { id: 901 };

/** The data of made-up events, for endpoints that are being set up. The triggers write the same fields. */
const SAMPLES: Record<WebhookEvent, WebhookData> = {
  'show.created': SHOW,
  'show.updated': SHOW,
  'show.archived': SHOW,
  'show.deleted': SHOW,
  'episode.created': EPISODE,
  'episode.published': EPISODE,
  'episode.updated': EPISODE,
  'episode.deleted': EPISODE,
  'import.finished': { id: 3, show_id: 12, status: 'imported' },
  'subscription.started': SUBSCRIPTION,
  'subscription.renewed': SUBSCRIPTION,
  'subscription.cancelled': SUBSCRIPTION,
  'subscription.ended': SUBSCRIPTION,
  'purchase.completed': { id: 210, show_id: 12, purpose: 'show', amount_minor: 2900, currency: 'eur' },
  'donation.received': { id: 211, amount_minor: 500, currency: 'eur' },
  'refund.made': { id: 're_sample', sale_id: 210, amount_minor: 2900, currency: 'eur' },
  'payout.requested': PAYOUT,
  'payout.paid': PAYOUT,
  'contact.created': CONTACT,
  'contact.updated': CONTACT,
  'contact.unsubscribed': CONTACT,
  'edition.sent': { id: 14, recipients: 1200 },
  'report.ready': { id: '2026-02' },
  'downloads.milestone': { id: 12, downloads: 10_000 },
};

export const sampleDataOf = (type: WebhookEvent): WebhookData => SAMPLES[type];

export type SampleEvent = { type: WebhookEvent; timestamp: string; data: WebhookData; test: true };

/** A whole made-up message, as an endpoint would receive it. */
export const sampleEvent = (type: WebhookEvent, now: Date): SampleEvent => ({
  ...{ type, timestamp: now.toISOString(), data: sampleDataOf(type) },
  test: true,
});
