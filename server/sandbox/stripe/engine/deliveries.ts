import { createHmac } from 'node:crypto';
import type { Log } from '../../../log';
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
/** `until`: when the claim on it ends, as Postgres writes it. */
type Delivery = { number: string; attempts: number; until: string; url: string; secret: string; text: string };
export type PostOptions = {
  client: Client;
  log: Log;
  send: Send;
  /** Seconds until the next attempt, per attempt; then it is given up. */
  retries: number[];
  /** Ends what is under way; it counts as not begun. */
  stopped: AbortSignal;
};

const BATCH = 50;
/** A claimed delivery comes back after this, should its process die. */
const LEASE_SECONDS = 60;
const TIMEOUT = 20_000;

/** `t=…,v1=…`, as "Verify webhook signatures manually" describes it. */
export function signature(payload: string, secret: string, at: number): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`;
}

/** Hands events to the endpoints that asked for them; several processes may do it at once. */
export function createPost(options: PostOptions) {
  const { client } = options;
  return {
    deliver: () => deliver(options),
    injectFaults: (change: Partial<Mischief>) => injectFaults(client, change),
    deliveries: () => counts(client),
  };
}

const mischief = (client: Client) => readSetting(client, 'mischief', NO_MISCHIEF);

async function injectFaults(client: Client, change: Partial<Mischief>): Promise<void> {
  await writeSetting(client, 'mischief', { ...(await mischief(client)), ...change });
}

async function counts(client: Client): Promise<Record<string, number>> {
  const rows = await client<{ status: string; count: string }[]>`
    select status, count(*) as count from sandbox_stripe.deliveries group by 1`;
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}

/** Sends all that is due, in batches. @returns how many were accepted */
async function deliver(options: PostOptions): Promise<number> {
  const { client, stopped } = options;
  let accepted = 0;
  while (!stopped.aborted) {
    const how = await mischief(client);
    const claimed = await claim(client, how.delaySeconds);
    if (claimed.length === 0) break;
    const lost = claimed.splice(0, Math.min(how.lose, claimed.length));
    if (lost.length > 0) await lose(client, lost, how);
    if (how.reorder) claimed.reverse();
    for (const delivery of claimed) {
      if (stopped.aborted) break;
      if (await begin(client, delivery)) accepted += await deliverOne(options, delivery, how.duplicates);
    }
  }
  return accepted;
}

async function lose(client: Client, lost: Delivery[], how: Mischief): Promise<void> {
  await injectFaults(client, { lose: how.lose - lost.length });
  const numbers = lost.map(({ number }) => number);
  await client`update sandbox_stripe.deliveries set status = 'lost' where number = any(${numbers}::bigint[])`;
}

/** Only what is sent is an attempt: a claim may end before its turn, and another process then has it. */
async function begin(client: Client, { number, until }: Delivery): Promise<boolean> {
  const begun = await client`
    update sandbox_stripe.deliveries set attempts = attempts + 1, due = now() + make_interval(secs => ${LEASE_SECONDS})
    where number = ${number} and status = 'pending' and due = ${until}::text::timestamptz`;
  return begun.count === 1;
}

async function deliverOne(options: PostOptions, delivery: Delivery, duplicates: number): Promise<number> {
  let accepted = false;
  for (let copy = 0; copy <= duplicates; copy += 1) accepted = await attempt(options, delivery);
  if (options.stopped.aborted && !accepted) return 0;
  const wait = options.retries[delivery.attempts];
  const status = accepted ? 'delivered' : wait === undefined ? 'failed' : 'pending';
  // who took longer than the claim held has no say any more
  await options.client`
    update sandbox_stripe.deliveries set status = ${status}, due = now() + make_interval(secs => ${wait ?? 0})
    where number = ${delivery.number} and status = 'pending' and attempts = ${delivery.attempts + 1}`;
  return accepted ? 1 : 0;
}

async function attempt({ send, log, stopped }: PostOptions, { url, secret, text }: Delivery): Promise<boolean> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signature(text, secret, Math.floor(Date.now() / 1000)),
    'user-agent': 'Stripe/1.0 (sandbox)',
  };
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT), stopped]);
    const answer = await send(new Request(url, { method: 'POST', headers, body: text, signal }));
    await answer.arrayBuffer();
    return answer.ok;
  } catch (error) {
    log.debug({ err: error, url }, 'a webhook of the Stripe sandbox was not taken');
    return false;
  }
}

/** Not those of an endpoint that is gone. */
async function claim(client: Client, delaySeconds: number): Promise<Delivery[]> {
  const rows = await client<Delivery[]>`
    with claimed as (
      update sandbox_stripe.deliveries set due = now() + make_interval(secs => ${LEASE_SECONDS})
      where number in (
        select number from sandbox_stripe.deliveries d
        where status = 'pending' and due + make_interval(secs => case when attempts = 0 then ${delaySeconds}::int else 0 end) <= now()
          and exists (select 1 from sandbox_stripe.objects w where w.id = d.endpoint)
        order by number limit ${BATCH} for update skip locked)
      returning number, attempts, due, account, event, endpoint
    )
    select c.number, c.attempts, c.due::text as until, w.data->>'url' as url, w.data->>'secret' as secret, e.data::text as text
    from claimed c
    join sandbox_stripe.objects w on w.id = c.endpoint
    join sandbox_stripe.objects e on e.id = c.event and e.account = c.account
    order by c.number`;
  return [...rows];
}
