import type { HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { createRequestHandler, type ServerBuild } from '@remix-run/node';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { describeProblem } from '../problems';
import { cookieContext } from '../trpc/context';
import { appRouter } from '../trpc/router';
import type { World } from '../world';
import { type DoorRules, type Facts, factsOf } from './facts';
import { health, type Readiness } from './health';
import { loadContext } from './load-context';
import { createMetrics, metricsDoor } from './metrics';
import { contentPolicy, isOwnRequest, type PolicySettings, SECURITY_HEADERS, STRICT_TRANSPORT } from './security';

export type AppSettings = {
  rules: DoorRules;
  policy: PolicySettings;
  readiness: Readiness;
  metricsToken: string | null;
  inboxUrl: string | null;
  /** Remix's build, or what loads the present one where it changes (development). */
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Below which the browser's files stand; null where Vite serves them. */
  clientDir: string | null;
  /** Doors for bytes that are no page: each mounts what it answers. */
  doors: ((app: App) => void)[];
};

export type AppEnv = { Bindings: HttpBindings | undefined; Variables: { facts: Facts } };
export type App = Hono<AppEnv>;

/** Forms and calls; files go through doors of their own. */
const CALL_BYTES = 2_000_000;

/** All doors behind the node-level ones, in the order in which they are asked (DESIGN.md §1.1). */
export function createApp(world: World, settings: AppSettings): App {
  const app: App = new Hono();
  const metrics = createMetrics(world);
  app.onError((err, c) => {
    world.log.error({ err, requestId: c.get('facts')?.requestId, path: c.req.path }, 'a request failed');
    return c.text('Something went wrong.', 500);
  });
  app.use(observe(world, settings, metrics.count));
  app.use(secure(settings));
  app.route('/', health(world, settings.readiness));
  app.route('/', metricsDoor(metrics, settings.metricsToken, (request) => addressFrom(request, settings)));
  if (settings.clientDir) mountFiles(app, settings.clientDir);
  app.use('/trpc/*', bodyLimit({ maxSize: CALL_BYTES }));
  app.all('/trpc/*', (c) => callProcedure(world, c.req.raw, c.get('facts')));
  for (const door of settings.doors) door(app);
  mountPages(app, world, settings);
  return app;
}
