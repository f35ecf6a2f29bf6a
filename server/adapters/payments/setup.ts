import type Stripe from 'stripe';
import { toDate } from './convert';
import type { EndpointEvents, OwnAccount, SetupOperations, WebhookEndpoint } from './setup-port';
import type { CallStripe } from './stripe-call';
import { HANDLED_EVENTS } from './webhooks';

/** Stripe does not say whether an endpoint is for connected accounts, so its metadata does. */
const MARK = 'altavoz_events';
/** Stripe's longest page; an account has at most 16 endpoints. */
const MAX_PAGE = 100;

/** Events of connected accounts only. */
const ABOUT_CONNECTIONS: readonly string[] = ['account.updated', 'account.application.deauthorized'];

/** The types to which an endpoint subscribes: exactly those that we handle. */
export const endpointTypes = (events: EndpointEvents) =>
  events === 'connected' ? HANDLED_EVENTS : HANDLED_EVENTS.filter((type) => !ABOUT_CONNECTIONS.includes(type));

/** The version that the SDK speaks, so that events look like the objects that we fetch. */
const versionOf = (stripe: Stripe) => stripe.getApiField('version') as ApiVersion;

type ApiVersion = Stripe.WebhookEndpointCreateParams.ApiVersion;
type EnabledEvents = Stripe.WebhookEndpointCreateParams['enabled_events'];
const enabledEvents = (events: EndpointEvents) => endpointTypes(events) as EnabledEvents;

export function setupOperations(callStripe: CallStripe): SetupOperations {
  return {
    listEndpoints: ({ url, former }) =>
      callStripe(async (stripe) => {
        const { data } = await stripe.webhookEndpoints.list({ limit: MAX_PAGE });
        const marked = data.flatMap((endpoint) => toEndpoint(endpoint, { url, version: versionOf(stripe) }) ?? []);
        const known = new Set(marked.map(({ id }) => id));
        const isOurs = ({ url: at }: WebhookEndpoint) => at === url || at === former;
        return {
          ours: marked.filter(isOurs),
          elsewhere: marked.filter((endpoint) => !isOurs(endpoint)),
          unknown: data.filter(({ id, url: at }) => at === url && !known.has(id)).map(({ id }) => id),
        };
      }),
    createEndpoint: ({ url, events }) =>
      callStripe(async (stripe) => {
        const created = await stripe.webhookEndpoints.create({
          url,
          enabled_events: enabledEvents(events),
          api_version: versionOf(stripe),
          connect: events === 'connected',
          description: `Altavoz: ${events} account${events === 'connected' ? 's' : ''}`,
          metadata: { [MARK]: events },
        });
        return { id: created.id, url, events, differs: [], secret: created.secret ?? '' };
      }),
    updateEndpoint: ({ id, events }, url) =>
      callStripe(async (stripe) => {
        await stripe.webhookEndpoints.update(id, { url, enabled_events: enabledEvents(events), disabled: false });
      }),
    removeEndpoint: (id) =>
      callStripe(async (stripe) => {
        await stripe.webhookEndpoints.del(id);
      }),
    ownAccount: () => callStripe(fetchOwnAccount),
  };
}

type Wanted = { url: string; version: string };

/** Null for an endpoint that we have not set up. */
function toEndpoint(endpoint: Stripe.WebhookEndpoint, { url, version }: Wanted): WebhookEndpoint | null {
  const events = endpoint.metadata[MARK];
  if (events !== 'own' && events !== 'connected') return null;
  const isSame =
    JSON.stringify(endpoint.enabled_events.toSorted()) === JSON.stringify(endpointTypes(events).toSorted());
  const differs: WebhookEndpoint['differs'] = [
    ...(endpoint.api_version === version ? [] : (['version'] as const)),
    ...(isSame ? [] : (['types'] as const)),
    ...(endpoint.url === url ? [] : (['url'] as const)),
    ...(endpoint.status === 'enabled' ? [] : (['disabled'] as const)),
  ];
  return { id: endpoint.id, url: endpoint.url, events, differs };
}

async function fetchOwnAccount(stripe: Stripe): Promise<OwnAccount> {
  const [account, balance, tax, unpaid, ended] = await Promise.all([
    stripe.accounts.retrieveCurrent(),
    stripe.balance.retrieve(),
    stripe.tax.settings.retrieve(),
    stripe.subscriptions.list({ status: 'unpaid', limit: 1 }),
    stripe.subscriptions.list({ status: 'canceled', limit: MAX_PAGE }),
  ]);
  const { settings } = account;
  const overdue = ended.data.flatMap(({ cancellation_details, ended_at }) =>
    cancellation_details?.reason === 'payment_failed' && ended_at !== null ? [ended_at] : [],
  );
  return {
    isLive: balance.livemode,
    country: account.country ?? null,
    currency: account.default_currency ?? null,
    chargesEnabled: account.charges_enabled,
    payoutsEnabled: account.payouts_enabled,
    missing: account.requirements?.currently_due ?? [],
    statementPrefix: settings?.card_payments.statement_descriptor_prefix ?? null,
    payoutInterval: settings?.payouts?.schedule.interval ?? null,
    balanceCurrencies: [...new Set([...balance.available, ...balance.pending].map(({ currency }) => currency))].sort(),
    isTaxActive: tax.status === 'active',
    isUnpaidInUse: unpaid.data.length > 0,
    lastEndedOverdue: overdue.length > 0 ? toDate(Math.max(...overdue)) : null,
  };
}
