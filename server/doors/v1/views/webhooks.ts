import { z } from 'zod';
import { DISABLED_REASONS, ENDPOINT_KINDS, WEBHOOK_EVENTS, WEBHOOK_STATES } from '~/db/values/webhook-events';
import type { DeliveryView } from '../../../domain/webhooks/deliveries';
import type { EndpointView } from '../../../domain/webhooks/endpoints';
import type { SampleEvent } from '../../../domain/webhooks/sample-events';
import type { NewEndpoint } from '../../../domain/webhooks/save-endpoint';
import { serializer } from '../../../rest/call';
import { copier } from '../../../rest/serializers/copied';
import { instant, url } from './values';

const copied = copier(['id', 'kind', 'description', 'events', 'disabledFor', 'waiting'] as const);
const time = (at: Date | null) => at?.toISOString() ?? null;

export const webhookView = serializer(
  'Webhook',
  z.strictObject({
    id: z.uuid(),
    kind: z.enum(ENDPOINT_KINDS),
    /** For a chat, only the host: anyone with the rest of the address could write there. */
    url,
    description: z.string(),
    /** Null: all events. */
    events: z.array(z.enum(WEBHOOK_EVENTS)).nullable(),
    disabled_for: z.enum(DISABLED_REASONS).nullable(),
    disabled_at: instant.nullable(),
    failing_since: instant.nullable(),
    waiting: z.int(),
    created_at: instant,
  }),
  (endpoint: EndpointView) => ({
    disabled_at: time(endpoint.disabledAt),
    failing_since: time(endpoint.failingSince),
    created_at: endpoint.createdAt.toISOString(),
    url: endpoint.kind === 'webhook' ? endpoint.url : new URL(endpoint.url).origin,
    ...copied(endpoint),
  }),
);

/** The secret is null for chat services. */
export const newWebhookView = serializer(
  'NewWebhook',
  z.strictObject({ id: z.uuid(), secret: z.string().nullable() }),
  ({ id, secret }: NewEndpoint) => ({ id, secret }),
);

export const webhookSecretView = serializer(
  'WebhookSecret',
  z.strictObject({ secret: z.string() }),
  ({ secret }: { secret: string }) => ({ secret }),
);

const eventData = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

export const sampleView = serializer(
  'WebhookSample',
  z.strictObject({ type: z.enum(WEBHOOK_EVENTS), timestamp: instant, data: eventData, test: z.literal(true) }),
  (sample: SampleEvent) => ({ ...sample }),
);

export const deliveryView = serializer(
  'WebhookDelivery',
  z.strictObject({
    id: z.int(),
    type: z.enum(WEBHOOK_EVENTS),
    data: eventData,
    /** The `webhook-id` of its messages. */
    message_id: z.string(),
    is_test: z.boolean(),
    is_repeat: z.boolean(),
    state: z.enum(WEBHOOK_STATES),
    happened_at: instant,
    next_at: instant.nullable(),
    attempts: z.array(
      z.strictObject({
        started_at: instant,
        ms: z.int(),
        status: z.int().nullable(),
        failure: z.string().nullable(),
        answer: z.string(),
        /** A list has only the beginning of the answer. */
        is_cut: z.boolean(),
      }),
    ),
  }),
  ({ id, type, data, messageId, isTest, isRepeat, state, happenedAt, nextAt, attempts }: DeliveryView) => ({
    ...{ id, type, data, message_id: messageId, is_test: isTest, is_repeat: isRepeat },
    ...{ state, happened_at: happenedAt.toISOString(), next_at: time(nextAt) },
    attempts: attempts.map(({ startedAt, ms, status, failure, answer, isCut }) => ({
      ...{ started_at: startedAt.toISOString(), ms, status, failure, answer, is_cut: isCut },
    })),
  }),
);
