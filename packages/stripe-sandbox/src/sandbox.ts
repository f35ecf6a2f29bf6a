import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { createLimiter, type Limiter } from './api/limits';
import { mountApi, rejectNul } from './api/requests';
import { newEndpoint } from './api/webhook-endpoints';
import { type Dunning, setDunning } from './billing/dunning';
import { mountControls, type SandboxControls } from './controls';
import { DUE_HANDLERS } from './due-handlers';
import { startLoop } from './engine/autorun';
import { runWork, type SandboxContext, workContextOf } from './engine/context';
import { createSender, type Send } from './engine/deliveries';
import { processDue, resetFailures } from './engine/due-work';
import type { Log } from './engine/log';
import { holdDueWork, releaseDueWork } from './engine/past';
import { type Client, prepareStore, withWriteLock } from './engine/store';
import type { Timing } from './engine/unit-of-work';
import { captureAll } from './money/captures';
import { type OwnAccount, setOwnAccount } from './money/own-account';
import { mountPages } from './pages/routes';
import { EXPANSIONS, RESOURCES } from './resources';

type Endpoint = { id?: string; url: string; secret: string };

export type SandboxOptions = {
  /** Must use postgres.js's own types: a client that reads dates differently would store different values. */
  client: Client;
  log: Log;
  /** Public URL of the pages, without a trailing slash. */
  baseUrl: string;
  /** Name of the selling business, as on statements and invoices. */
  business?: string;
  now?: () => Date;
  /** The product's webhook endpoint, which each start brings up to date, and its signing secret. */
  webhook?: Endpoint;
  /** Sends a webhook; over HTTP by default. */
  send?: Send;
  retries?: number[];
  /** In milliseconds, for the limit of calls per second; real time by default. */
  callClock?: () => number;
  /** Delivers webhooks and processes due objects in the background; disabled in tests that do both themselves. */
  autorun?: boolean;
};

export type StripeSandbox = SandboxControls & {
  /** The API and the pages: `/v1/…`, `/pay/…` and so on. */
  app: Hono;
  /** The pages only, for browsers. */
  pages: Hono;
  /** Serves `api.stripe.com` and the pages in this process. */
  fetch: typeof globalThis.fetch;
  close(): Promise<void>;
};

/** Seconds between attempts of a webhook; Stripe's test mode makes three attempts over a few hours. */
const RETRIES = [5, 60, 600, 3600];

const TIMING: Timing = { captureSeconds: 3, settlementDays: 7 };

/** Opens a local Stripe: the wire format, hosted pages and webhooks, with its state in Postgres. */
export async function openStripeSandbox(options: SandboxOptions): Promise<StripeSandbox> {
  const { client, log, baseUrl, business = 'Example', autorun = true, send = fetch, retries = RETRIES } = options;
  let moment: Date | null = null;
  const now = () => Math.floor((moment ?? options.now?.() ?? new Date()).getTime() / 1000);
  await prepareStore(client);
  const stopping = new AbortController();
  const sender = createSender({
    client,
    log,
    send: (request) => send(request),
    retries,
    stopped: stopping.signal,
    onFree: () => loop?.requestDelivery(),
  });
  const holder = randomUUID();
  const limiter = createLimiter(options.callClock);
  const loop = autorun ? startLoop(log, { dispatch: sender.dispatch, tick: () => tick(context, { holder }) }) : null;
  const context: SandboxContext = {
    ...{ client, log, now, baseUrl, business },
    conversions: new Map(),
    timing: { ...TIMING },
    onCommit: () => loop?.requestDelivery(),
  };
  const controls: SandboxControls = {
    deliver: sender.deliver,
    injectFaults: sender.injectFaults,
    deliveries: sender.deliveries,
    tick: (how) => tick(context, { ...how, holder }),
    setTime: async (at) => {
      moment = at;
      await (at === null ? releaseDueWork(client, holder) : holdDueWork(client, holder));
    },
    setDunning: (change: Partial<Dunning>) => setDunning(client, change),
    setConversions: (conversions) => replaceAll(context.conversions, conversions),
    setTiming: (change) => void Object.assign(context.timing, change),
    capture: () => runWork(context, captureAll),
    setOwnAccount: (change: Partial<OwnAccount>) => setOwnAccount(client, change),
    setLimits: (change) => Object.assign(limiter.limits, change),
  };
  if (options.webhook) {
    await registerEndpoint(context, options.webhook);
    // also the deliveries that a killed process was sending
    await sender.makeDue();
    loop?.requestDelivery();
  }
  async function close() {
    stopping.abort();
    await loop?.stop();
    await sender.idle();
  }
  const { app, pages } = mount(context, { controls, limiter });
  return { app, pages, fetch: fetchFrom(app, baseUrl), ...controls, close };
}

/** In place: each part of the sandbox has a copy of the context. */
function replaceAll<T>(map: Map<string, T>, entries: Record<string, T>): void {
  map.clear();
  for (const [name, value] of Object.entries(entries)) map.set(name, value);
}

type Mounted = { controls: SandboxControls; limiter: Limiter };

function mount(context: SandboxContext, { controls, limiter }: Mounted): { app: Hono; pages: Hono } {
  const pages = new Hono();
  rejectNul(pages);
  mountPages(pages, context);
  const app = new Hono();
  rejectNul(app);
  mountApi(app, { ...context, routes: RESOURCES, expansions: EXPANSIONS, limiter });
  app.route('/', pages);
  mountControls(app, controls);
  return { app, pages };
}

/** Requests below the pages' URL reach the pages; all other requests reach the API. */
function fetchFrom(app: Hono, baseUrl: string): typeof globalThis.fetch {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!url.pathname.startsWith(`${prefix}/`)) return app.fetch(request);
    url.pathname = url.pathname.slice(prefix.length);
    return app.fetch(new Request(url, request));
  };
}

type Tick = { holder: string; retry?: boolean };

async function tick(context: SandboxContext, { holder, retry = false }: Tick): Promise<number> {
  const { client, onCommit } = context;
  if (retry) await resetFailures(client);
  const workContext = workContextOf(context);
  const processed = await processDue((run) => withWriteLock(client, run), {
    clock: null,
    until: workContext.now,
    context: workContext,
    handlers: DUE_HANDLERS,
    holder,
  });
  if (processed > 0) onCommit();
  return processed;
}

/** Registers the product's own endpoint. */
async function registerEndpoint(context: SandboxContext, { id = 'we_product', url, secret }: Endpoint) {
  await runWork(context, async (work) => {
    const existing = await work.get('webhook_endpoint', id);
    if (existing) Object.assign(existing, { url, secret, status: 'enabled' });
    else newEndpoint(work, { id, url, secret, events: ['*'], connect: 'both' });
  });
}
