import { call, listCall, type V1Call } from '../v1-call';
import { deliveryView, newWebhookView, sampleView, webhookSecretView, webhookView } from '../views/webhooks';

const read = { chapter: 'webhooks', scope: 'webhooks:read', names: { id: 'endpointId' } } as const;
const write = { chapter: 'webhooks', scope: 'webhooks:write', names: { id: 'endpointId' } } as const;
const ADDRESS = { url: 'https://hooks.example/altavoz', events: ['episode.published'] };

export const webhookCalls: V1Call[] = [
  listCall('GET /webhooks', 'webhooks.list', {
    ...read,
    summary:
      'The addresses that get events, the oldest first. Of a chat, it is only the host, because the rest is a secret.',
    out: webhookView,
  }),
  call('POST /webhooks', 'webhooks.create', {
    ...write,
    summary:
      'Subscribe an address to events; without `events`, to all of them. Needs the scopes that read what the events say, such as `money:read`. The answer has the signing secret, once.',
    out: newWebhookView,
    status: 201,
    isExample: true,
    example: ADDRESS,
  }),
  call('PUT /webhooks/:id', 'webhooks.change', {
    ...write,
    summary: 'Replace the address, the note and the events. Needs the scopes of the former and the new events.',
    example: ADDRESS,
  }),
  call('DELETE /webhooks/:id', 'webhooks.remove', {
    ...write,
    summary: 'Unsubscribe an address. Its log is deleted, too.',
  }),
  call('POST /webhooks/:id/secret', 'webhooks.rotateSecret', {
    ...write,
    summary: 'Replace the signing secret. For 24 hours, messages are signed with both.',
    out: webhookSecretView,
  }),
  call('POST /webhooks/:id/on', 'webhooks.switch', {
    ...write,
    summary: 'Switch an address on again, for example after its attempts have failed for five days.',
    fixed: { isOn: true },
  }),
  call('POST /webhooks/:id/off', 'webhooks.switch', {
    ...write,
    summary: 'Switch an address off. What happens until it is on again is never sent to it.',
    fixed: { isOn: false },
  }),
  call('POST /webhooks/:id/test', 'webhooks.test', {
    ...write,
    summary: 'Send a made-up event.',
    example: { type: 'episode.published' },
  }),
  listCall('GET /webhooks/:id/deliveries', 'webhooks.deliveries', {
    ...read,
    summary:
      'What was sent in the last 30 days, with each attempt and the first 500 characters of its answer, the latest first.',
    out: deliveryView,
  }),
  call('GET /webhooks/:id/deliveries/:delivery_id', 'webhooks.delivery', {
    ...read,
    summary: 'One delivery, with all that the log keeps of each answer.',
    out: deliveryView,
  }),
  call('POST /webhooks/:id/deliveries/:delivery_id', 'webhooks.redeliver', {
    ...write,
    summary:
      'Send an event once more, with the same `webhook-id`. Once it arrives, the former delivery no longer waits.',
  }),
  call('GET /webhooks/sample', 'webhooks.sample', {
    ...read,
    summary: 'A made-up message of one event, for tools that show its fields before one has happened.',
    out: sampleView,
    exampleQuery: { type: 'episode.published' },
  }),
];
