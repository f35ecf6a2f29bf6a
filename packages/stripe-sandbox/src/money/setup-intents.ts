import type Stripe from 'stripe';
import { listRoute, type Route, retrieveRoute, route } from '../api/route';
import type { Work } from '../engine/account-work';
import { invalidRequest, wrongState } from '../wire/faults';
import { newId, randomText } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { idOf } from '../wire/objects';
import { arrayOf, flag, group, httpUrl, mergeMetadata, metadata, oneOf, required, text } from '../wire/shapes';
import { needsAuthentication } from './charges';
import { findCustomer } from './customers';
import { attachMethod, cardBehaviourOf, declineFault, resolveMethod } from './payment-methods';

export function newSetup(
  work: Work,
  customer: string | null,
  initialMetadata: Record<string, string> = {},
): Stripe.SetupIntent {
  const id = newId('seti');
  const setup: Stripe.SetupIntent = {
    ...NULL_FIELDS.setupIntent,
    id,
    object: 'setup_intent',
    client_secret: `${id}_secret_${randomText(25)}`,
    created: work.now(),
    customer,
    livemode: false,
    metadata: initialMetadata,
    payment_method_types: ['card'],
    status: 'requires_payment_method',
    usage: 'off_session',
  };
  return work.add(setup, {}, 'setup_intent.created');
}

/** Sets up a card for later payments, and records the result in the intent. */
export async function attemptSetup(
  work: Work,
  setup: Stripe.SetupIntent,
  method: Stripe.PaymentMethod,
  returnUrl: string | null = null,
): Promise<void> {
  const behaviour = cardBehaviourOf(work, method);
  setup.payment_method = method.id;
  const isAuthenticated = work.hidden(setup).authenticated === true;
  if (!isAuthenticated && needsAuthentication(work, method, false)) {
    setup.status = 'requires_action';
    const url = `${work.pages}/authenticate/${setup.id}?account=${work.account}`;
    setup.next_action = { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } };
    work.emit('setup_intent.requires_action', setup);
    return;
  }
  if (behaviour?.declines && !behaviour.declinesAfterAttaching && !behaviour.authentication) {
    const fault = declineFault(behaviour.declines, { setup_intent: setup });
    failSetup(work, setup, fault.body as never);
    throw fault;
  }
  setup.status = 'succeeded';
  setup.next_action = null;
  const customer = setup.customer === null ? null : await work.get('customer', idOf(setup.customer));
  if (customer) attachMethod(work, method, customer);
  work.hidden(method).setUp = true;
  work.emit('setup_intent.succeeded', setup);
}

export function failSetup(work: Work, setup: Stripe.SetupIntent, reason: Stripe.SetupIntent.LastSetupError): void {
  const { setup_intent: _, ...error } = reason as Stripe.SetupIntent.LastSetupError & { setup_intent?: unknown };
  setup.status = 'requires_payment_method';
  setup.last_setup_error = structuredClone(error) as Stripe.SetupIntent.LastSetupError;
  setup.payment_method = null;
  setup.next_action = null;
  work.emit('setup_intent.setup_failed', setup);
}

async function confirmSetup(work: Work, setup: Stripe.SetupIntent, methodId: string | undefined, returnUrl?: string) {
  const id = methodId ?? idOf(setup.payment_method);
  if (!id)
    throw invalidRequest('You cannot confirm this SetupIntent because it is missing a payment method.', {
      code: 'setup_intent_unexpected_state',
    });
  await attemptSetup(work, setup, await resolveMethod(work, id), returnUrl);
  return setup;
}

export const setupIntentRoutes: Route[] = [
  route(
    'POST',
    '/v1/setup_intents',
    {
      customer: text(),
      payment_method: text(),
      allowed_payment_method_types: arrayOf(oneOf('card')),
      automatic_payment_methods: group({ enabled: required(flag()), allow_redirects: oneOf('always', 'never') }),
      confirm: flag(),
      usage: oneOf('off_session', 'on_session'),
      return_url: httpUrl(),
      metadata: metadata(),
    },
    async (work, input) => {
      if (input.customer) await findCustomer(work, input.customer);
      const setup = newSetup(work, input.customer ?? null, mergeMetadata({}, input.metadata));
      setup.usage = input.usage ?? 'off_session';
      const { automatic_payment_methods: automatic } = input;
      if (automatic) setup.automatic_payment_methods = { allow_redirects: 'always', ...automatic };
      setup.allowed_payment_method_types = input.allowed_payment_method_types ?? null;
      if (input.confirm) return confirmSetup(work, setup, input.payment_method, input.return_url);
      if (input.return_url)
        throw invalidRequest('The parameter `return_url` cannot be passed unless `confirm` is set to true.', {
          param: 'return_url',
        });
      if (input.payment_method) {
        setup.payment_method = (await resolveMethod(work, input.payment_method)).id;
        setup.status = 'requires_confirmation';
      }
      return setup;
    },
  ),
  retrieveRoute('/v1/setup_intents', 'setup_intent'),
  route(
    'POST',
    '/v1/setup_intents/:id/confirm',
    { payment_method: text(), return_url: httpUrl() },
    async (work, input, { id = '' }) => {
      const setup = await work.find('setup_intent', id);
      if (setup.status === 'succeeded' || setup.status === 'canceled')
        throw wrongState(
          `You cannot confirm this SetupIntent because it has a status of ${setup.status}.`,
          'setup_intent_unexpected_state',
        );
      return confirmSetup(work, setup, input.payment_method, input.return_url);
    },
  ),
  route('POST', '/v1/setup_intents/:id/cancel', {}, async (work, _, { id = '' }) => {
    const setup = await work.find('setup_intent', id);
    if (setup.status === 'succeeded' || setup.status === 'canceled')
      throw wrongState(
        `You cannot cancel this SetupIntent because it has a status of ${setup.status}.`,
        'setup_intent_unexpected_state',
      );
    setup.status = 'canceled';
    work.emit('setup_intent.canceled', setup);
    return setup;
  }),
  listRoute('/v1/setup_intents', 'setup_intent', {
    filters: { customer: text() },
    criteria: ({ customer }) => ({ customer }),
  }),
];
