import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { paymentEvents } from '~/db/schema/checkouts';
import { stripePayments } from '~/server/adapters/payments/stripe';
import { MINUTES } from '~/server/base/time';
import { stripeWebhookDoor } from '~/server/doors/webhooks';
import { BODY_LIMITS } from '~/server/limits/http';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, clock, lucia } = await cast();
const SECRETS = ['whsec_new', 'whsec_old'];
const settings = { secretKey: 'sk_test_x', webhookSecrets: SECRETS, production: false };
runtime.ports.payments = stripePayments(settings);
const app = pagesApp(runtime, env.urls, { doors: [stripeWebhookDoor(runtime)] });
const URL = 'http://altavoz.localhost:3000/webhooks/stripe';

const eventOf = (id: string) =>
  JSON.stringify({
    id,
    object: 'event',
    type: 'invoice.paid',
    created: clock.now.getTime() / 1000,
    livemode: false,
    data: { object: { id: 'in_1', object: 'invoice' } },
  });
const sign = (payload: string, secret = SECRETS[0]!, at = clock.now) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: at.getTime() / 1000 });
const post = (body: string, header: string | undefined, url = URL) =>
  app.request(url, { method: 'POST', body, headers: header === undefined ? {} : { 'stripe-signature': header } });
const stored = async () =>
  (await runtime.db.select({ id: paymentEvents.id }).from(paymentEvents).orderBy(paymentEvents.id)).map(({ id }) => id);

test('an event is stored once, also during the rotation of secrets and when it comes twice at the same time', async () => {
  const body = eventOf('evt_1');
  const answers = await Promise.all([
    post(body, sign(body)),
    post(body, sign(body)),
    post(body, sign(body, 'whsec_old')),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await stored()).toEqual(['evt_1']);
  const jobs = await runtime.queue.boss.fetch('billing.handle-event', { batchSize: 10 });
  expect(jobs?.map(({ data }) => data)).toEqual([{ eventId: 'evt_1' }]);
});

const tenMinutesAgo = () => new Date(clock.now.getTime() - MINUTES(10));
test.each([
  ['without a signature', (_: string) => undefined],
  ['with a malformed signature', (_: string) => 't=,v1='],
  ['signed with another secret', (body: string) => sign(body, 'whsec_other')],
  ['with the signature of another body', (_: string) => sign(eventOf('evt_3'))],
  ['replayed after ten minutes', (body: string) => sign(body, SECRETS[0], tenMinutesAgo())],
])('an event %s is refused and not stored', async (_, header) => {
  const body = eventOf('evt_2');

  const answer = await post(body, header(body));

  expect(answer.status).toBe(400);
  expect(await stored()).not.toContain('evt_2');
});

test.each([
  ['no JSON', 'not json'],
  ['no object', '[]'],
  ['no type', '{"id":"evt_4","object":"event"}'],
])('a signed body that is %s is refused', async (_, body) => {
  expect((await post(body, sign(body))).status).toBe(400);
});

test('a larger body than any event is refused before it is read, and no creator’s host has the door', async () => {
  const large = 'x'.repeat(BODY_LIMITS.page + 1);
  expect((await post(large, sign(large))).status).toBe(413);

  const body = eventOf('evt_5');
  const answer = await post(body, sign(body), `http://staging-${lucia.domain}.altavoz.localhost:3000/webhooks/stripe`);
  expect(answer.status).not.toBe(200);
  expect(await stored()).not.toContain('evt_5');
});
