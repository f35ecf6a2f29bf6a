import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { API_VERSION } from '../engine/events';
import { newId, randomText } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { flag, httpUrl, mergeMetadata, metadata, oneOf, required, text } from '../wire/shapes';
import { listRoute, type Route, retrieveRoute, route, textList } from './route';

type NewEndpoint = {
  id?: string;
  url: string;
  events: string[];
  secret?: string;
  connect?: boolean | 'both';
  description?: string;
  version?: string;
};

export function newEndpoint(
  work: Work,
  { id, url, events, secret, connect = false, description, version }: NewEndpoint,
): Stripe.WebhookEndpoint {
  const endpoint: Stripe.WebhookEndpoint = {
    ...NULL_FIELDS.webhookEndpoint,
    id: id ?? newId('we'),
    object: 'webhook_endpoint',
    api_version: version ?? null,
    created: work.now(),
    description: description ?? null,
    enabled_events: events,
    livemode: false,
    metadata: {},
    secret: secret ?? `whsec_${randomText(32)}`,
    status: 'enabled',
    url,
  };
  return work.add(endpoint, { connect });
}

/** Stripe returns the secret only when the endpoint is created. */
const withoutSecret = ({ secret: _, ...endpoint }: Stripe.WebhookEndpoint) => endpoint;

const list = listRoute('/v1/webhook_endpoints', 'webhook_endpoint', { filters: {} });

export const webhookEndpointRoutes: Route[] = [
  route(
    'POST',
    '/v1/webhook_endpoints',
    {
      url: required(httpUrl()),
      enabled_events: required(textList()),
      // events exist in one version only
      api_version: oneOf(API_VERSION),
      connect: flag(),
      description: text(),
      metadata: metadata(),
    },
    async (work, input) => {
      const { url, enabled_events: events, connect, description, api_version: version } = input;
      const endpoint = newEndpoint(work, { url, events, connect, description, version });
      endpoint.metadata = mergeMetadata({}, input.metadata);
      return endpoint;
    },
  ),
  {
    ...retrieveRoute('/v1/webhook_endpoints', 'webhook_endpoint'),
    run: async (work, _, { id = '' }) => withoutSecret(await work.find('webhook_endpoint', id)),
  },
  route(
    'POST',
    '/v1/webhook_endpoints/:id',
    { url: httpUrl(), enabled_events: textList(), disabled: flag(), metadata: metadata() },
    async (work, input, { id = '' }) => {
      const endpoint = await work.find('webhook_endpoint', id);
      if (input.url !== undefined) endpoint.url = input.url;
      if (input.enabled_events) endpoint.enabled_events = input.enabled_events;
      if (input.disabled !== undefined) endpoint.status = input.disabled ? 'disabled' : 'enabled';
      endpoint.metadata = mergeMetadata(endpoint.metadata, input.metadata);
      return withoutSecret(endpoint);
    },
  ),
  route('DELETE', '/v1/webhook_endpoints/:id', {}, async (work, _, { id = '' }) => {
    await work.remove(await work.find('webhook_endpoint', id));
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
  {
    ...list,
    async run(work, params, path) {
      const page = (await list.run(work, params, path)) as Stripe.ApiList<Stripe.WebhookEndpoint>;
      return { ...page, data: page.data.map(withoutSecret) };
    },
  },
];
