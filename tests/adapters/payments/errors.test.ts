import { expect, test } from 'vitest';
import { toAppError } from '~/server/adapters/payments/failures';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { explainIn } from '~/server/http/explain';
import { translate } from '~/server/messages';

/** The error that a user sees for a response of Stripe. */
async function userError(answer: { status: number; error: object; headers?: Record<string, string> }) {
  const payments = stripePayments({
    secretKey: 'sk_test_x',
    webhookSecrets: [],
    production: false,
    maxNetworkRetries: 0,
    fetch: async () => Response.json({ error: answer.error }, answer),
  });
  const failure = await payments.removeCard('pm_1', 'once').catch((thrown: unknown) => thrown);
  const [en, es] = (['en', 'es'] as const).map((language) =>
    explainIn((key, params) => translate(language, key, params))(failure),
  );
  return { code: en!.code, kind: en!.kind, en: en!.message, es: es!.message, unexpected: en!.unexpected };
}

const card = (decline_code: string) => ({
  status: 402,
  error: { type: 'card_error', code: 'card_declined', decline_code, message: 'Your card was declined.' },
});

const PLAIN = [
  'Your card was declined. Please try another card.',
  'Tu tarjeta fue rechazada. Prueba con otra tarjeta.',
] as const;
const FUNDS = [
  'There is not enough money on this card. Please try another card.',
  'No hay saldo suficiente en esta tarjeta. Prueba con otra.',
] as const;
const EXPIRED = ['This card has expired. Please try another card.', 'Esta tarjeta caducó. Prueba con otra.'] as const;
const CVC = [
  "The card's security code is not right. Please check it and try again.",
  'El código de seguridad de la tarjeta no es correcto. Compruébalo y vuelve a intentarlo.',
] as const;
const NUMBER = [
  "The card's number is not right. Please check it and try again.",
  'El número de la tarjeta no es correcto. Compruébalo y vuelve a intentarlo.',
] as const;
const PROCESSING = [
  'The bank could not process the card just now. Please try again in a moment.',
  'El banco no pudo procesar la tarjeta ahora mismo. Inténtalo de nuevo en un momento.',
] as const;
const LIMIT = [
  'This card has reached its limit. Please try another card, or ask your bank.',
  'Esta tarjeta alcanzó su límite. Prueba con otra o consulta a tu banco.',
] as const;

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
])('a card declined as %s has a message in both languages', async (declined, [en, es]) => {
  expect(await userError(card(declined))).toEqual({
    code: 'payments.card_declined',
    kind: 'conflict',
    unexpected: false,
    en,
    es,
  });
});

test('a failed authentication has a message in both languages', async () => {
  const error = { type: 'card_error', code: 'payment_intent_authentication_failure', message: 'x' };

  expect(await userError({ status: 402, error })).toMatchObject({
    code: 'payments.card_declined',
    en: 'The payment was not confirmed with your bank. Please try again, or with another card.',
    es: 'El pago no se confirmó con tu banco. Inténtalo de nuevo o con otra tarjeta.',
  });
});

const invalid = (code: string, status = 400) => ({
  status,
  error: { type: 'invalid_request_error', code, message: 'x' },
});

test.each([
  [
    'required authentication',
    card('authentication_required'),
    'payments.authentication_required conflict',
    'Your bank asks you to confirm this payment.',
    'Tu banco te pide que confirmes este pago.',
  ],
  [
    'rate limiting',
    { ...invalid('rate_limit', 429), headers: { 'retry-after': '7' } },
    'payments.rate_limited too_many',
    'There are too many payments at the moment. Please wait 7 seconds and try again.',
    'Hay demasiados pagos en este momento. Espera 7 segundos y vuelve a intentarlo.',
  ],
  [
    'an outage',
    { status: 503, error: { type: 'api_error', message: 'x' } },
    'payments.unreachable upstream',
    "The payment provider can't be reached. You have not been charged twice; please try again.",
    'No se puede contactar con el proveedor de pagos. No se te cobró dos veces; inténtalo de nuevo.',
  ],
  [
    'an unknown object',
    invalid('resource_missing', 404),
    'payments.not_found not_found',
    'This payment record was not found.',
    'No se encontró este registro de pago.',
  ],
  [
    'an unknown account',
    invalid('account_invalid', 403),
    'payments.not_found not_found',
    'This payment record was not found.',
    'No se encontró este registro de pago.',
  ],
  [
    'a state that does not allow the call',
    invalid('charge_already_refunded'),
    'payments.conflict conflict',
    'This is no longer possible because the payment has changed in the meantime.',
    'Esto ya no es posible porque el pago cambió mientras tanto.',
  ],
  [
    'a reused idempotency key',
    { status: 400, error: { type: 'idempotency_error', message: 'x' } },
    'payments.conflict conflict',
    'This is no longer possible because the payment has changed in the meantime.',
    'Esto ya no es posible porque el pago cambió mientras tanto.',
  ],
  [
    'an expired coupon',
    invalid('coupon_expired'),
    'payments.coupon_not_redeemable conflict',
    'This coupon can no longer be used.',
    'Este cupón ya no se puede usar.',
  ],
  [
    'a wrong parameter',
    invalid('parameter_unknown'),
    'payments.refused upstream',
    'The payment provider rejected this request.',
    'El proveedor de pagos rechazó esta solicitud.',
  ],
  [
    'a wrong API key',
    { status: 401, error: { type: 'invalid_request_error', message: 'x' } },
    'payments.not_set_up upstream',
    'Payments are not set up correctly.',
    'Los pagos no están bien configurados.',
  ],
  [
    'missing permissions of the API key',
    invalid('more_permissions_required', 403),
    'payments.not_set_up upstream',
    'Payments are not set up correctly.',
    'Los pagos no están bien configurados.',
  ],
] as const)('%s has a message in both languages', async (_, answer, ...[problem, en, es]) => {
  const { code, kind, ...messages } = await userError(answer);

  expect(`${code} ${kind}`).toBe(problem);
  expect(messages).toEqual({ en, es, unexpected: false });
});

test.each([
  [undefined, 1],
  ['0', 1],
  ['soon', 1],
  ['2.5', 3],
  ['30', 30],
])('the retry time follows the Retry-After header (%s → %i s)', async (retryAfter, seconds) => {
  const headers = retryAfter === undefined ? undefined : { 'retry-after': retryAfter };

  const { en } = await userError({ ...invalid('rate_limit', 429), headers });

  expect(en).toContain(`Please wait ${seconds} seconds`);
});

test('an error that is not Stripe’s stays unchanged', () => {
  const error = new RangeError('ours');

  expect(toAppError(error)).toBe(error);
});
