import { type EndpointKind, WEBHOOK_EVENTS, type WebhookEvent } from '~/db/values/webhook-events';

/** Services whose incoming webhooks get messages for people. */
export type ChatService = Exclude<EndpointKind, 'webhook'>;

/** The events of which people in a chat get a message. */
const CHAT_EVENTS = ['subscription.started', 'episode.published', 'report.ready'] as const satisfies WebhookEvent[];

/** The events that can be sent to an address of this kind. */
export const eventsFor = (kind: EndpointKind): readonly WebhookEvent[] =>
  kind === 'webhook' ? WEBHOOK_EVENTS : CHAT_EVENTS;
