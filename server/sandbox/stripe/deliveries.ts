import { createHmac } from 'node:crypto';
import type { Log } from '../../log';
import { readSetting, writeSetting } from './settings';
import type { Client } from './store';

/** What webhooks do wrong on demand, as they do in real life. */
export type Mischief = {
  /** So many further copies of each. */
  duplicates: number;
  /** Each batch in reverse. */
  reorder: boolean;
  delaySeconds: number;
  /** So many of the next are never sent, as if all attempts had failed. */
  lose: number;
};
export const NO_MISCHIEF: Mischief = { duplicates: 0, reorder: false, delaySeconds: 0, lose: 0 };

export type Send = (request: Request) => Promise<Response>;
type Delivery = { number: string; attempts: number; url: string; secret: string; text: string };
export type PostOptions = {
  client: Client;
  log: Log;
  send: Send;
  /** Seconds until the next attempt, per attempt; then it is given up. */
  retries: number[];
};

const BATCH = 50;
/** A claimed delivery comes back after this, should its process die. */
const LEASE_SECONDS = 60;
const TIMEOUT = 20_000;

/** `t=…,v1=…`, as "Verify webhook signatures manually" describes it. */
export function signature(payload: string, secret: string, at: number): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`;
}

export type Post = ReturnType<typeof createPost>;

/** Hands events to the endpoints that asked for them; several processes may do it at once. */
export function createPost(options: PostOptions) {
  const { client } = options;
  return {
    deliver: () => deliver(options),
    misbehave: (change: Partial<Mischief>) => misbehave(client, change),
    deliveries: () => counts(client),
  };
}

const mischief = (client: Client) => readSetting(client, 'mischief', NO_MISCHIEF);

async function misbehave(client: Client, change: Partial<Mischief>): Promise<void> {
  await writeSetting(client, 'mischief', { ...(await mischief(client)), ...change });
}

async function counts(client: Client): Promise<Record<string, number>> {
  const rows = await client<{ status: string; count: string }[]>`
    select status, count(*) as count from sandbox_stripe.deliveries group by 1`;
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}

/** Sends all that is due, in batches. @returns how many were accepted */
async function deliver(options: PostOptions): Promise<number> {
  const { client } = options;
  let accepted = 0;
  for (;;) {
    const how = await mischief(client);
    const claimed = await claim(client, how.delaySeconds);
    if (claimed.length === 0) return accepted;
    const lost = claimed.splice(0, Math.min(how.lose, claimed.length));
    if (lost.length > 0) await lose(client, lost, how);
    if (how.reorder) claimed.reverse();
    for (const delivery of claimed) accepted += await deliverOne(options, delivery, how.duplicates);
  }
}

async function lose(client: Client, lost: Delivery[], how: Mischief): Promise<void> {
  await misbehave(client, { lose: how.lose - lost.length });
  const numbers = lost.map(({ number }) => number);
  await client`update sandbox_stripe.deliveries set status = 'lost' where number = any(${numbers}::bigint[])`;
}

async function deliverOne(options: PostOptions, delivery: Delivery, duplicates: number): Promise<number> {
  let accepted = false;
  for (let copy = 0; copy <= duplicates; copy += 1) accepted = await attempt(options, delivery);
  const wait = options.retries[delivery.attempts - 1];
  const status = accepted ? 'delivered' : wait === undefined ? 'failed' : 'pending';
  await options.client`
    update sandbox_stripe.deliveries set status = ${status}, due = now() + make_interval(secs => ${wait ?? 0})
    where number = ${delivery.number}`;
  return accepted ? 1 : 0;
}

async function attempt({ send, log }: PostOptions, { url, secret, text }: Delivery): Promise<boolean> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signature(text, secret, Math.floor(Date.now() / 1000)),
    'user-agent': 'Stripe/1.0 (sandbox)',
  };
  try {
    const answer = await send(
      new Request(url, { method: 'POST', headers, body: text, signal: AbortSignal.timeout(TIMEOUT) }),
    );
    await answer.arrayBuffer();
    return answer.ok;
  } catch (error) {
    log.debug({ err: error, url }, 'a webhook of the Stripe sandbox was not taken');
    return false;
  }
}

async function claim(client: Client, delaySeconds: number): Promise<Delivery[]> {
  const rows = await client<Delivery[]>`
    with claimed as (
      update sandbox_stripe.deliveries set attempts = attempts + 1, due = now() + make_interval(secs => ${LEASE_SECONDS})
      where number in (
        select number from sandbox_stripe.deliveries
        where status = 'pending' and due + make_interval(secs => case when attempts = 0 then ${delaySeconds}::int else 0 end) <= now()
        order by number limit ${BATCH} for update skip locked)
      returning number, attempts, account, event, endpoint
    )
    select c.number, c.attempts, w.data->>'url' as url, w.data->>'secret' as secret, e.data::text as text
    from claimed c
    join sandbox_stripe.objects w on w.id = c.endpoint
    join sandbox_stripe.objects e on e.id = c.event and e.account = c.account
    order by c.number`;
  return [...rows];
}
