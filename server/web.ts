import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { ServerBuild } from '@remix-run/node';
import { HOURS, SECONDS } from './base/time';
import { nodeDoors, rawDoors } from './doors/all-doors';
import { createApp } from './doors/app';
import { renderFeed } from './doors/feeds/feeds';
import { oldFeedsDoor } from './doors/feeds/old-feeds';
import { type Caches, openCaches } from './doors/open-caches';
import type { PageSettings } from './doors/pages/pages';
import { createPublicDoor } from './doors/pages/public-door';
import type { Env } from './env/read';
import type { App } from './http/app-env';
import type { PageCache } from './http/caches/page-cache';
import { withoutTags } from './http/caches/shared-response';
import type { Readiness } from './http/health';
import { type HostRules, hostName, isForeignHost, isValidHost, writtenHost } from './http/host';
import { createListener, type NodeHandler } from './http/listener';
import { createMetrics } from './http/metrics';
import { createObserver, type Observer } from './http/observer';
import { type FindTemplate, pageTemplates } from './http/route-templates';
import { NO_PAGE_HEADERS } from './http/security';
import { rejectUnparsed } from './http/unparsed';
import { refuseUnserved } from './http/unserved';
import { type Development, startDevelopment } from './runtime/development';
import { describeListening } from './runtime/free-port';
import type { CloseOptions, OpenRuntime } from './runtime/open-runtime';
import type { Runtime } from './runtime/runtime';
import { noteRoute, ObservedResponse } from './watching/observed-response';
import { FOREIGN_HOST } from './watching/request-counts';

/** A phone on a slow connection needs hours to upload 300 MB. */
const REQUEST_TIMEOUT = HOURS(6);
/** Longer than proxies keep idle connections, so that they never reuse one that was just closed. */
const KEEP_ALIVE_TIMEOUT = SECONDS(75);
/** Time for running responses at shutdown; players request the rest of an audio file again. */
const RESPONSE_GRACE_PERIOD = SECONDS(5);

export type Web = {
  port: number;
  /**
   * Answers while `/readyz` says 503, for `stopGrace`; then rejects new connections and lets running requests finish.
   */
  close(options?: CloseOptions): Promise<void>;
};

/** Stripe's payment pages. The sandbox's are on our own host. */
const STRIPE_PAGES = ['https://checkout.stripe.com', 'https://connect.stripe.com'];

export type WebOptions = {
  development: boolean;
  /** Whether the demo is being created. */
  preparesDemo?: () => boolean;
  /** Pages without client files; by default the build in `build/` with its client files. */
  build?: ServerBuild;
};

/** Serves browsers, podcast apps and API clients. Resolves when it accepts requests. */
export async function startWeb(env: Env, opened: OpenRuntime, options: WebOptions): Promise<Web> {
  const server = http.createServer({
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    ServerResponse: ObservedResponse as typeof http.ServerResponse,
  });
  const development = options.development ? await startDevelopment(server) : null;
  const build = development ? development.build : (options.build ?? (await loadPages()));
  const readiness: Readiness = { stopping: false };
  const caches = openCaches(opened);
  const closeParts = () => Promise.all([caches.close(), development?.close()]);
  try {
    const observer = openDoors(server, { env, opened, options, development, build, readiness, caches });
    await startListening(server, env);
    return {
      port: (server.address() as AddressInfo).port,
      async close({ afterError = false } = {}) {
        readiness.stopping = true;
        if (!afterError) await sleep(env.stopGrace);
        await Promise.all([endConnections(server), closeParts()]);
        observer.close();
      },
    };
  } catch (error) {
    // an open connection would let the embedded Postgres outlive this process
    await closeParts();
    throw error;
  }
}

type Serving = {
  env: Env;
  opened: OpenRuntime;
  options: WebOptions;
  development: Development | null;
  build: PageSettings['build'];
  readiness: Readiness;
  caches: Caches;
};

/** Gives every request to the first door that takes it. */
function openDoors(server: http.Server, serving: Serving): Observer {
  const { env, opened, options, development, build, readiness, caches } = serving;
  const rules: HostRules = { ...env.urls, allowsUnprefixedHosts: !env.production, trustProxy: env.trustedProxies > 0 };
  const metrics = createMetrics(opened.runtime);
  // in development, each change creates another build
  const templates = typeof build === 'function' ? () => null : pageTemplates(build);
  const app = createApp(opened.runtime, {
    rules: { hosts: rules, trustedProxies: env.trustedProxies },
    policy: {
      urls: env.urls,
      uploadOrigin: uploadOrigin(env),
      development: options.development,
      allowsTagManager: env.gtmId !== null,
      chat: env.support.chat,
      paymentOrigins: env.payments.provider === 'stripe' ? STRIPE_PAGES : [],
    },
    readiness,
    metrics,
    metricsToken: env.metricsToken,
    inboxUrl: opened.inbox && opened.runtime.urls.app('/_dev/inbox'),
    simulatesPayments: env.simulatesPayments,
    preparesDemo: options.preparesDemo,
    build,
    templates,
    showLanguages: caches.showLanguages,
    clientDir: development || options.build ? null : path.resolve('build/client'),
    doors: rawDoors(opened, env, caches.answers),
  });
  const publicDoor = openPublicDoor(opened.runtime, caches.pages, { rules, templates, app: development ? null : app });
  const handlers = [
    closeWhenStopping(readiness),
    publicDoor.answerKnown,
    oldFeedsDoor(opened.runtime, rules),
    refuseForeignHosts(rules),
    ...(development ? [viteDoor(development)] : []),
    refuseUnserved,
    ...nodeDoors(opened, env, caches),
    publicDoor.answer,
  ];
  const { log, tracing } = opened.runtime;
  server.on('clientError', rejectUnparsed(metrics.requests));
  const observer = createObserver(metrics.requests, log, env.trustedProxies);
  server.on('request', createListener(handlers, appListener(app, development), { log, observer, tracing }));
  return observer;
}

/** A proxy that keeps connections must not send the next request on one that is about to close. */
function closeWhenStopping(readiness: Readiness): NodeHandler {
  return (_req, res) => {
    if (readiness.stopping) res.setHeader('connection', 'close');
    return false;
  };
}

function startListening(server: http.Server, env: Env): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(describeListening(error, env));
    });
    server.listen(env.port, env.host, resolve);
  });
}

/** The build in `build/`. A start loads it while the database opens; later calls share it. */
export async function loadPages(): Promise<ServerBuild> {
  // a path of package.json, which exists only after Remix's build; the cast hides it from the type checker
  return (await import('#pages-build' as string)) as ServerBuild;
}

/** The origin that browsers upload to directly when S3 stores the files. */
function uploadOrigin({ storage }: Env): string | null {
  if (storage.driver === 'disk') return null;
  const { endpoint, bucket, region, forcePathStyle } = storage.s3;
  if (!endpoint) return `https://${bucket}.s3.${region}.amazonaws.com`;
  const { protocol, host, origin } = new URL(endpoint);
  return forcePathStyle ? origin : `${protocol}//${bucket}.${host}`;
}

type PublicDoorSettings = { rules: HostRules; templates: FindTemplate; app: App | null };

/** Serves feeds from memory, and public pages too except in development. */
function openPublicDoor(runtime: Runtime, cache: PageCache, settings: PublicDoorSettings) {
  const { rules, templates, app } = settings;
  return createPublicDoor({
    rules,
    cache,
    templates,
    log: runtime.log,
    renderFeed: (address) => renderFeed(runtime, address),
    renderPage: app && (async (request, incoming, outgoing) => app.fetch(request, { incoming, outgoing })),
  });
}

/**
 * Every later handler builds URLs from the host, which fails for one such as `a b`. Foreign hosts get no content,
 * because a cache or a page could confuse them with ours; probes may call `/healthz` at any host.
 */
function refuseForeignHosts(rules: HostRules): NodeHandler {
  return ({ headers, url = '/' }, res) => {
    const written = writtenHost(headers, rules.trustProxy);
    const isValid = isValidHost(written);
    if (isValid && (!isForeignHost(rules, hostName(written)) || /^\/healthz(?:\?|$)/.test(url))) return false;
    noteRoute(res, FOREIGN_HOST);
    res
      .writeHead(isValid ? 421 : 400, {
        ...NO_PAGE_HEADERS,
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        connection: 'close',
      })
      .end(isValid ? 'This host is not served here.' : 'Invalid Host header.');
    return true;
  };
}

/** Otherwise `/@vite/client` and the like would be treated as creator pages. */
function viteDoor({ middleware }: Development): NodeHandler {
  return (req, res) => {
    if (!/^\/@(?:vite|id|fs|react-refresh)\b/.test(req.url ?? '')) return false;
    middleware(req, res, () => res.writeHead(404).end());
    return true;
  };
}

/** In development, Vite handles all requests first except API calls and uploads. */
function appListener(app: App, development: Development | null) {
  const answer = getRequestListener(async (request, env) => withoutTags(await app.fetch(request, env as never)), {
    overrideGlobalObjects: development === null,
  });
  if (!development) return (req: http.IncomingMessage, res: http.ServerResponse) => void answer(req, res);
  return (req: http.IncomingMessage, res: http.ServerResponse) => {
    if (/^\/(?:trpc|api|uploads)\//.test(req.url ?? '')) void answer(req, res);
    else development.middleware(req, res, () => void answer(req, res));
  };
}

/** Closing the server keeps busy connections open, even after they finish; this closes each once it is idle. */
async function endConnections(server: http.Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const deadline = setTimeout(() => server.closeAllConnections(), RESPONSE_GRACE_PERIOD);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
