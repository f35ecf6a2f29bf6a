import { expect, test } from 'vitest';
import en from '~/locales/en/errors.json';
import es from '~/locales/es/errors.json';
import { toAppError } from '~/server/adapters/payments/failures';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { translate } from '~/server/base/messages';
import { problemRenderer } from '~/server/doors/pages/render-problem';

/** The error that a user sees for a response of Stripe. */
async function userError(answer: { status: number; error: object; headers?: Record<string, string> }) {
  const payments = stripePayments({
    secretKey: 'sk_test_x',
    webhookSecrets: [],
    production: false,
    maxNetworkRetries: 0,
    patience: { waited_for: 0, background: 0 },
    fetch: async () => Response.json({ error: answer.error }, answer),
  });
  const failure = await payments.removeCard('pm_1', 'once').catch((thrown: unknown) => thrown);
  const [english, spanish] = (['en', 'es'] as const).map((language) =>
    problemRenderer((key, params) => translate(language, key, params))(failure),
  );
  const { code, kind, unexpected } = english!;
  return { code, kind, unexpected, en: english!.message, es: spanish!.message };
}

const card = (decline_code: string) => ({
  status: 402,
  error: { type: 'card_error', code: 'card_declined', decline_code, message: 'Your card was declined.' },
});

/** The translations of an error's key. The locales own the texts; this test checks which one a user sees. */
function translations(key: keyof typeof en, params: Record<string, string> = {}) {
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name) => params[name] ?? '');
  return { en: fill(en[key]), es: fill(es[key]) };
}

const PLAIN = 'payments.card_declined';
const FUNDS = 'payments.card_declined_insufficient_funds';
const EXPIRED = 'payments.card_declined_expired_card';
const CVC = 'payments.card_declined_incorrect_cvc';
const NUMBER = 'payments.card_declined_incorrect_number';
const PROCESSING = 'payments.card_declined_processing_error';
const LIMIT = 'payments.card_declined_limit_exceeded';

test.each([
  ['generic_decline', PLAIN],
  ['do_not_honor', PLAIN],
  ['a_code_of_next_year', PLAIN],
  ['insufficient_funds', FUNDS],
  ['expired_card', EXPIRED],
  ['incorrect_cvc', CVC],
  ['invalid_cvc', CVC],
  ['incorrect_number', NUMBER],
  ['invalid_number', NUMBER],
  ['processing_error', PROCESSING],
  ['card_velocity_exceeded', LIMIT],
  ['withdrawal_count_limit_exceeded', LIMIT],
  // "Decline codes": the customer must not see the reason
  ['lost_card', PLAIN],
  ['stolen_card', PLAIN],
  ['pickup_card', PLAIN],
  ['fraudulent', PLAIN],
] as const)('a card declined as %s has a message in both languages', async (declined, key) => {
  expect(await userError(card(declined))).toEqual({
    code: 'payments.card_declined',
    kind: 'conflict',
    unexpected: false,
    ...translations(key),
  });
});

test('a failed authentication has a message in both languages', async () => {
  const error = { type: 'card_error', code: 'payment_intent_authentication_failure', message: 'x' };

  expect(await userError({ status: 402, error })).toMatchObject({
    code: 'payments.card_declined',
    ...translations('payments.card_declined_authentication_failed'),
  });
});

const invalid = (code: string, status = 400) => ({
  status,
  error: { type: 'invalid_request_error', code, message: 'x' },
});

test.each([
  ['required authentication', card('authentication_required'), 'payments.authentication_required', 'conflict'],
  [
    'rate limiting',
    { ...invalid('rate_limit', 429), headers: { 'retry-after': '7' } },
    'payments.rate_limited',
    'too_many',
  ],
  ['an outage', { status: 503, error: { type: 'api_error', message: 'x' } }, 'payments.unreachable', 'unavailable'],
  ['an unknown object', invalid('resource_missing', 404), 'payments.not_found', 'not_found'],
  ['an unknown account', invalid('account_invalid', 403), 'payments.not_found', 'not_found'],
  ['a state that does not allow the call', invalid('charge_already_refunded'), 'payments.conflict', 'conflict'],
  [
    'a reused idempotency key',
    { status: 400, error: { type: 'idempotency_error', message: 'x' } },
    'payments.rejected',
    'upstream',
  ],
  [
    'a key that another call uses now',
    { status: 409, error: { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'x' } },
    'payments.rate_limited',
    'too_many',
  ],
  ['a locked object', invalid('lock_timeout', 429), 'payments.rate_limited', 'too_many'],
  ['an expired coupon', invalid('coupon_expired'), 'payments.coupon_not_redeemable', 'conflict'],
  ['a wrong parameter', invalid('parameter_unknown'), 'payments.rejected', 'upstream'],
  [
    'a wrong API key',
    { status: 401, error: { type: 'invalid_request_error', message: 'x' } },
    'payments.not_set_up',
    'upstream',
  ],
  ['missing permissions of the API key', invalid('more_permissions_required', 403), 'payments.not_set_up', 'upstream'],
] as const)('%s has a message in both languages', async (_, answer, code, kind) => {
  expect(await userError(answer)).toEqual({
    code,
    kind,
    unexpected: false,
    ...translations(code, { seconds: 'headers' in answer ? '7' : '1' }),
  });
});

test.each([
  [undefined, 1],
  ['0', 1],
  ['soon', 1],
  ['2.5', 3],
  ['30', 30],
])('the retry time follows the Retry-After header (%s → %i s)', async (retryAfter, seconds) => {
  const headers = retryAfter === undefined ? undefined : { 'retry-after': retryAfter };

  const error = await userError({ ...invalid('rate_limit', 429), headers });

  expect(error.en).toBe(translations('payments.rate_limited', { seconds: String(seconds) }).en);
});

test('an error that is not Stripe’s stays unchanged', () => {
  const error = new RangeError('ours');

  expect(toAppError(error)).toBe(error);
});
