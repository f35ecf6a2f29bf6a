import { createHmac } from 'node:crypto';
import type { Log } from './log';
import { readSetting, writeSetting } from './settings';
import type { Client } from './store';

/** Webhook faults that tests and developers can switch on. */
export type Faults = {
  /** Extra duplicates per event. */
  duplicates: number;
  /** Sends each batch in reverse order. */
  reorder: boolean;
  delaySeconds: number;
  /** How many of the next deliveries are never sent, as if all attempts had failed. */
  lose: number;
};
export const NO_FAULTS: Faults = { duplicates: 0, reorder: false, delaySeconds: 0, lose: 0 };

export type Send = (request: Request) => Promise<Response>;
/** `until`: end of the lease, in Postgres's text format. */
type Delivery = {
  number: string;
  attempts: number;
  endpoint: string;
  until: string;
  url: string;
  secret: string;
  text: string;
};
export type SenderOptions = {
  client: Client;
  log: Log;
  send: Send;
  /** Seconds until the next attempt, one per attempt; after the last one the delivery fails. */
  retries: number[];
  /** Aborts attempts in progress; their deliveries stay pending. */
  stopped: AbortSignal;
  /** Called when an endpoint has answered its batch: more may be due for it. */
  onFree(): void;
};

const BATCH = 50;
/** Another process may claim a delivery after this time, in case its process has died. */
const LEASE_SECONDS = 60;
const TIMEOUT = 20_000;

/** `t=…,v1=…`, as described in "Verify webhook signatures manually". */
function signatureOf(payload: string, secret: string, at: number): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`;
}

type Sender = SenderOptions & {
  /** The running deliveries to endpoints, by the endpoint's id. */
  busy: Map<string, Promise<void>>;
  /** Counts finished batches, after each of which more may be due, and accepted deliveries. */
  answered: number;
  accepted: number;
};

/**
 * Sends events to the endpoints that are subscribed to them. Endpoints do not wait for each other. Several processes
 * may send at once.
 */
export function createSender(options: SenderOptions) {
  const { client } = options;
  const sender: Sender = { ...options, busy: new Map(), answered: 0, accepted: 0 };
  let claiming: Promise<void> = Promise.resolve();
  const dispatch = () => {
    claiming = claiming.catch(() => {}).then(() => claimAll(sender));
    return claiming;
  };
  return {
    dispatch,
    deliver: () => deliverDue(sender, dispatch),
    makeDue: () => makeDue(client),
    idle: async () => void (await Promise.allSettled([claiming, ...sender.busy.values()])),
    injectFaults: (change: Partial<Faults>) => injectFaults(client, change),
    deliveries: () => countByStatus(client),
  };
}

/**
 * Makes leased deliveries due again. A process that still holds one no longer sends it, but one that is being sent may
 * arrive twice.
 */
async function makeDue(client: Client): Promise<void> {
  await client`update sandbox_stripe.deliveries set due = now() where status = 'pending'`;
}

const readFaults = (client: Client) => readSetting(client, 'webhook_faults', NO_FAULTS);

async function injectFaults(client: Client, change: Partial<Faults>): Promise<void> {
  await writeSetting(client, 'webhook_faults', { ...(await readFaults(client)), ...change });
}

async function countByStatus(client: Client): Promise<Record<string, number>> {
  const rows = await client<{ status: string; count: string }[]>`
    select status, count(*) as count from sandbox_stripe.deliveries group by 1`;
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}

/** Sends all due deliveries and waits for the responses. @returns how many were accepted meanwhile */
async function deliverDue(sender: Sender, dispatch: () => Promise<void>): Promise<number> {
  const before = sender.accepted;
  for (let answered = -1; answered !== sender.answered; ) {
    answered = sender.answered;
    await dispatch();
    if (sender.busy.size > 0) await Promise.race(sender.busy.values());
  }
  return sender.accepted - before;
}

/** Starts sending all due deliveries, in batches, without waiting for responses. */
async function claimAll(sender: Sender): Promise<void> {
  const { client, stopped, busy } = sender;
  while (!stopped.aborted) {
    const faults = await readFaults(client);
    const claimed = await claimDeliveries(client, faults.delaySeconds, [...busy.keys()]);
    if (claimed.length === 0) return;
    const lost = claimed.splice(0, Math.min(faults.lose, claimed.length));
    if (lost.length > 0) await dropDeliveries(client, lost, faults);
    if (faults.reorder) claimed.reverse();
    for (const endpoint of new Set(claimed.map((delivery) => delivery.endpoint))) {
      const batch = claimed.filter((delivery) => delivery.endpoint === endpoint);
      busy.set(endpoint, sendBatch(sender, endpoint, { batch, duplicates: faults.duplicates }));
    }
  }
}

/** A failure leaves the rest of the batch to the next round, after its lease. */
async function sendBatch(
  sender: Sender,
  endpoint: string,
  { batch, duplicates }: { batch: Delivery[]; duplicates: number },
): Promise<void> {
  try {
    for (const delivery of batch) {
      if (sender.stopped.aborted) break;
      if (await startAttempt(sender.client, delivery))
        sender.accepted += await deliverOne(sender, delivery, duplicates);
    }
  } catch (err) {
    sender.log.warn({ err, endpoint }, 'Stripe sandbox webhook batch failed');
  } finally {
    sender.busy.delete(endpoint);
    sender.answered += 1;
    sender.onFree();
  }
}

async function dropDeliveries(client: Client, lost: Delivery[], faults: Faults): Promise<void> {
  await injectFaults(client, { lose: faults.lose - lost.length });
  const numbers = lost.map(({ number }) => number);
  await client`update sandbox_stripe.deliveries set status = 'lost' where number = any(${numbers}::bigint[])`;
}

/**
 * Counts an attempt only when it is sent: the lease may have expired, and another process may hold the delivery now.
 */
async function startAttempt(client: Client, { number, until }: Delivery): Promise<boolean> {
  const updated = await client`
    update sandbox_stripe.deliveries set attempts = attempts + 1, due = now() + make_interval(secs => ${LEASE_SECONDS})
    where number = ${number} and status = 'pending' and due = ${until}::text::timestamptz`;
  return updated.count === 1;
}

async function deliverOne(options: SenderOptions, delivery: Delivery, duplicates: number): Promise<number> {
  let accepted = false;
  for (let copy = 0; copy <= duplicates; copy += 1) accepted = await post(options, delivery);
  if (options.stopped.aborted && !accepted) return 0;
  const wait = options.retries[delivery.attempts];
  const status = accepted ? 'delivered' : wait === undefined ? 'failed' : 'pending';
  // a process that outlived its lease must not change the result
  await options.client`
    update sandbox_stripe.deliveries set status = ${status}, due = now() + make_interval(secs => ${wait ?? 0})
    where number = ${delivery.number} and status = 'pending' and attempts = ${delivery.attempts + 1}`;
  return accepted ? 1 : 0;
}

async function post({ send, log, stopped }: SenderOptions, { url, secret, text }: Delivery): Promise<boolean> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signatureOf(text, secret, Math.floor(Date.now() / 1000)),
    'user-agent': 'Stripe/1.0 (sandbox)',
  };
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT), stopped]);
    const response = await send(new Request(url, { method: 'POST', headers, body: text, signal }));
    await response.arrayBuffer();
    return response.ok;
  } catch (error) {
    log.debug({ err: error, url }, 'Stripe sandbox webhook delivery failed');
    return false;
  }
}

/** Skips deliveries to deleted endpoints, and to endpoints with a running delivery. */
async function claimDeliveries(client: Client, delaySeconds: number, busy: string[]): Promise<Delivery[]> {
  const rows = await client<Delivery[]>`
    with claimed as (
      update sandbox_stripe.deliveries set due = now() + make_interval(secs => ${LEASE_SECONDS})
      where number in (
        select number from sandbox_stripe.deliveries d
        where status = 'pending' and d.endpoint <> all(${busy}::text[]) and due + make_interval(secs => case when attempts = 0 then ${delaySeconds}::int else 0 end) <= now()
          and exists (select 1 from sandbox_stripe.objects w where w.id = d.endpoint)
        order by number limit ${BATCH} for update skip locked)
      returning number, attempts, due, account, event, endpoint
    )
    select c.number, c.attempts, c.endpoint, c.due::text as until, w.data->>'url' as url, w.data->>'secret' as secret, e.data::text as text
    from claimed c
    join sandbox_stripe.objects w on w.id = c.endpoint
    join sandbox_stripe.objects e on e.id = c.event and e.account = c.account
    order by c.number`;
  return [...rows];
}
