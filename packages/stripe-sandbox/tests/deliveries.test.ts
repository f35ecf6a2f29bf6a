import { expect, test } from 'vitest';
import { testSandbox, WEBHOOK } from './support/sandbox';

const AUTHORIZED = { authorization: 'Bearer sk_test_x' };

/** An endpoint that responds only when released, or fails when the sender aborts. */
function hangingEndpoint() {
  let onRequest = () => {};
  let release = (_: Response) => {};
  const requested = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  let times = 0;
  const aborts: string[] = [];
  const send = (request: Request) =>
    new Promise<Response>((resolve, reject) => {
      times += 1;
      release = resolve;
      request.signal.addEventListener('abort', () => {
        aborts.push(request.signal.reason.name);
        reject(request.signal.reason);
      });
      onRequest();
    });
  return { send, requested, release: (response: Response) => release(response), times: () => times, aborts };
}

test('an expired lease is sent by another process, and the slow process neither repeats nor reverts it', async () => {
  const slow = hangingEndpoint();
  const { sandbox, stripe, client, url } = await testSandbox({ webhook: WEBHOOK, send: slow.send, retries: [] });
  const received: string[] = [];
  const { sandbox: quick } = await testSandbox({
    url,
    retries: [],
    send: async (request) => {
      received.push((await request.json()).id);
      return new Response('ok');
    },
  });
  for (let i = 0; i < 3; i++) await stripe.customers.create({});

  const delivering = sandbox.deliver();
  await slow.requested;
  await client`update sandbox_stripe.deliveries set due = now() where status = 'pending'`;
  const accepted = await quick.deliver();
  slow.release(new Response('no', { status: 500 }));
  await delivering;

  expect([accepted, new Set(received).size, slow.times()]).toEqual([3, 3, 1]);
  expect(await sandbox.deliveries()).toEqual({ delivered: 3 });
});

test('only sent deliveries count as attempts, and deliveries claimed by a stopped process keep all of theirs', async () => {
  const silent = hangingEndpoint();
  const { sandbox, stripe, client, url } = await testSandbox({ webhook: WEBHOOK, send: silent.send, retries: [0, 0] });
  for (let i = 0; i < 2; i++) await stripe.customers.create({});
  const delivering = sandbox.deliver();
  await silent.requested;
  await sandbox.close();
  await delivering;
  const sent: string[] = [];
  const reject = async (request: Request) => {
    sent.push((await request.json()).id);
    return new Response('no', { status: 500 });
  };

  await client`update sandbox_stripe.deliveries set due = now() where status = 'pending'`;
  const { sandbox: next } = await testSandbox({ url, retries: [0, 0], send: reject });
  await next.deliver();

  expect(silent.times()).toBe(1);
  expect([...new Set(sent)].map((id) => sent.filter((one) => one === id).length)).toEqual([2, 3]);
});

test('an unresponsive endpoint does not delay shutdown, and its delivery stays pending', async () => {
  const silent = hangingEndpoint();
  const { sandbox, stripe, client } = await testSandbox({
    webhook: WEBHOOK,
    send: silent.send,
    retries: [60],
    autorun: true,
  });
  await stripe.customers.create({});
  await silent.requested;

  await sandbox.close();

  // not a TimeoutError, because the sender did not wait for the attempt's end
  expect(silent.aborts).toEqual(['AbortError']);
  expect(await client`select status from sandbox_stripe.deliveries order by number`).toMatchObject([
    { status: 'pending' },
  ]);
});

test('an endpoint that does not answer delays no other, also not for later events', async () => {
  let [silentAttempts, answer] = [0, (_: Response) => {}];
  // not even an abort ends the attempt
  const silence = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  const received: string[] = [];
  let wake = () => {};
  const send = async (request: Request) => {
    if (new URL(request.url).hostname === 'silent.example') {
      silentAttempts += 1;
      return silence;
    }
    received.push((await request.json()).type);
    wake();
    return new Response('ok');
  };
  const { stripe } = await testSandbox({ send, autorun: true });
  const enabled_events = ['coupon.created' as const, 'customer.created' as const];
  const until = async (count: number) => {
    while (received.length < count)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  await stripe.webhookEndpoints.create({ url: 'http://silent.example', enabled_events });
  await stripe.webhookEndpoints.create({ url: 'http://quick.example', enabled_events });

  for (let i = 0; i < 60; i++) await stripe.customers.create({});
  await until(60);
  await stripe.coupons.create({ percent_off: 5 });
  await until(61);

  expect([received.at(-1), silentAttempts]).toEqual(['coupon.created', 1]);
  answer(new Response('late'));
});

test('deliveries of a deleted endpoint do not block others', async () => {
  let count = 0;
  const receive = async () => {
    count += 1;
    return new Response('ok');
  };
  const { sandbox, stripe } = await testSandbox({ send: receive });
  const deletedEndpoint = await stripe.webhookEndpoints.create({
    url: 'http://deleted.example',
    enabled_events: ['*'],
  });
  for (let i = 0; i < 60; i++) await stripe.customers.create({});
  await stripe.webhookEndpoints.create({ url: 'http://active.example', enabled_events: ['*'] });
  await stripe.customers.create({});
  await stripe.webhookEndpoints.del(deletedEndpoint.id);

  await sandbox.deliver();

  expect(count).toBe(1);
});

test('NUL characters are rejected everywhere, and the sandbox keeps working', async () => {
  const { fetch } = await testSandbox();
  const call = (path: string, body?: string) =>
    fetch(`https://api.stripe.com${path}`, { method: body ? 'POST' : 'GET', headers: AUTHORIZED, body });

  const responses = [
    await call('/v1/customers', 'email=nul%00@x.es'),
    await call('/v1/customers', 'email=nul\0@x.es'),
    await call('/v1/customers/cus_%00'),
    await call('/v1/customers?email=%00'),
  ];

  for (const response of responses) {
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  }
  expect((await call('/v1/customers', 'name=50%2500')).status).toBe(200);
  expect((await call('/v1/customers?email=a@x.es')).status).toBe(200);
});
