import { Hono } from 'hono';
import type { Log } from '../../log';
import { advance, takeUp } from './advancing';
import { mountControls } from './controls';
import { createPost, type Mischief, type Send } from './deliveries';
import { type Dunning, setDunning } from './dunning';
import { mountPages } from './hosted';
import { type Ground, inWork, mountApi, refuseUnstorable, settingOf } from './requests';
import { type Client, exclusively, prepareStore } from './store';
import { newEndpoint } from './webhook-endpoints';

export type SandboxOptions = {
  /** On connections of its own. */
  client: Client;
  log: Log;
  /** Where people's browsers find its pages: `http://…/_sandbox/stripe`. */
  baseUrl: string;
  now?: () => Date;
  /** Where the product takes webhooks, and the secret they are signed with. */
  webhook?: { url: string; secret: string };
  /** How webhooks go out; over HTTP unless told otherwise. */
  send?: Send;
  retries?: number[];
  /** Delivers webhooks after each change and lets time pass by itself; off where a test does both by hand. */
  lively?: boolean;
};

export type StripeSandbox = {
  /** Its addresses, from `/v1/…` and `/pay/…` on. */
  app: Hono;
  /** Its pages alone, for browsers. */
  pages: Hono;
  /** Lets happen what fell due by now; with `retry` also what it had given up on. @returns how many things happened */
  tick(options?: { retry?: boolean }): Promise<number>;
  /** Sends webhooks that are due. @returns how many were accepted */
  deliver(): Promise<number>;
  misbehave(change: Partial<Mischief>): Promise<void>;
  deliveries(): Promise<Record<string, number>>;
  /** When failed renewals are tried again, and what becomes of the subscription. */
  dun(change: Partial<Dunning>): Promise<Dunning>;
  close(): Promise<void>;
};

const APP_ENDPOINT = 'we_altavoz';
const TICK_MS = 5000;
/** Seconds between attempts of a webhook; Stripe's test mode tries three times over a few hours. */
const RETRIES = [5, 60, 600, 3600];

/** A Stripe that runs anywhere: the wire format, hosted pages and webhooks, its state in Postgres. */
export async function openStripeSandbox(options: SandboxOptions): Promise<StripeSandbox> {
  const { client, log, baseUrl, lively = true, send = fetch, retries = RETRIES } = options;
  const now = () => Math.floor((options.now?.() ?? new Date()).getTime() / 1000);
  await prepareStore(client);
  const stopping = new AbortController();
  const { signal: stopped } = stopping;
  const post = createPost({ client, log, send: (request) => send(request), retries, stopped });
  const life = lively ? startLife(log, { deliver: post.deliver, tick: () => tick(ground) }) : null;
  const ground: Ground = { client, log, now, baseUrl, written: () => life?.soon() };
  const doings = {
    ...post,
    tick: (how?: { retry?: boolean }) => tick(ground, how),
    dun: (change: Partial<Dunning>) => setDunning(client, change),
    async close() {
      stopping.abort();
      await life?.stop();
    },
  };
  const pages = new Hono();
  refuseUnstorable(pages);
  mountPages(pages, ground);
  const app = new Hono();
  refuseUnstorable(app);
  mountApi(app, ground);
  app.route('/', pages);
  mountControls(app, doings);
  if (options.webhook) await keepEndpoint(ground, options.webhook);
  return { app, pages, ...doings };
}

async function tick(ground: Ground, { retry = false } = {}): Promise<number> {
  const { client, written } = ground;
  if (retry) await takeUp(client);
  const setting = settingOf(ground);
  const happened = await advance((run) => exclusively(client, run), { clock: null, until: setting.now, setting });
  if (happened > 0) written();
  return happened;
}

/** The product's own endpoint; its address and secret are those of the present start. */
async function keepEndpoint(ground: Ground, { url, secret }: { url: string; secret: string }): Promise<void> {
  await inWork(ground, async (work) => {
    const kept = await work.get('webhook_endpoint', APP_ENDPOINT);
    if (kept) Object.assign(kept, { url, secret, status: 'enabled' });
    else newEndpoint(work, { id: APP_ENDPOINT, url, secret, events: ['*'], connect: 'both' });
  });
}

type Doings = { deliver(): Promise<number>; tick(): Promise<number> };

/** Webhooks soon after a change, and what falls due from time to time; failures wait for the next round. */
function startLife(log: Log, { deliver, tick }: Doings) {
  const quietly = (doing: () => Promise<unknown>) => () =>
    doing().catch((err: unknown) => log.warn({ err }, 'the Stripe sandbox could not go on'));
  // each by itself: an endpoint that does not answer holds up nothing but webhooks
  const [delivering, passing] = [inTurn(quietly(deliver)), inTurn(quietly(tick))];
  const timer = setInterval(() => {
    passing.ask();
    delivering.ask();
  }, TICK_MS);
  timer.unref();
  return {
    soon: delivering.ask,
    async stop(): Promise<void> {
      clearInterval(timer);
      await Promise.all([delivering.done(), passing.done()]);
    },
  };
}

/** One at a time, and never more than one waiting. */
function inTurn(doing: () => Promise<unknown>) {
  let running: Promise<unknown> = Promise.resolve();
  let asked = false;
  const begin = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    asked = false;
    await doing();
  };
  return {
    ask() {
      if (asked) return;
      asked = true;
      running = running.then(begin);
    },
    done: () => running,
  };
}
