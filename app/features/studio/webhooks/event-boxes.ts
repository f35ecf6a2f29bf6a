import type { FormValues } from '~/app/lib/check-form';
import { WEBHOOK_EVENTS, type WebhookEvent } from '~/db/values/webhook-events';

/** The name of an event's check box: each has its own, because a form keeps one value per name. */
export const boxOf = (type: WebhookEvent): string => `event-${type}`;

/** The events whose boxes are checked in a submitted form. */
export const chosenEvents = (values: FormValues): WebhookEvent[] =>
  WEBHOOK_EVENTS.filter((type) => ['true', 'on'].includes(values[boxOf(type)] ?? ''));
