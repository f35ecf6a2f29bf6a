import type { HttpBindings } from '@hono/node-server';
import type { ServerBuild } from '@remix-run/node';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { HTTPException } from 'hono/http-exception';
import type { Runtime } from '../runtime';
import { mountCalls } from './calls';
import { mountFiles } from './files';
import { mountHealth, type Readiness } from './health';
import { createMetrics, mountMetrics } from './metrics';
import { observe } from './observe';
import { mountPages } from './pages';
import type { RequestContext, RequestRules } from './request-context';
import { type PolicySettings, secure } from './security';

export type AppSettings = {
  rules: RequestRules;
  policy: PolicySettings;
  readiness: Readiness;
  metricsToken: string | null;
  /** Where mail can be read that does not go out; null where it goes out. */
  inboxUrl: string | null;
  /** Each page then says that no real money moves. */
  simulatesPayments: boolean;
  /** Remix's build, or what loads the present one where it changes (development). */
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Holds the browser's files; null where Vite serves them. */
  clientDir: string | null;
  /** Doors for bytes that are no page: each mounts what it answers. */
  doors: ((app: App) => void)[];
};

export type AppEnv = { Bindings: HttpBindings | undefined; Variables: { requestContext: RequestContext } };
export type App = Hono<AppEnv>;

/** All doors behind the node-level ones, in the order in which they are asked. */
export function createApp(runtime: Runtime, settings: AppSettings): App {
  const app: App = new Hono();
  const metrics = createMetrics(runtime);
  app.use(observe(runtime, settings.rules, metrics));
  app.use(secure(settings.policy));
  mountHealth(app, runtime, settings.readiness);
  mountMetrics(app, metrics, settings.metricsToken);
  if (settings.clientDir) mountFiles(app, settings.clientDir);
  // files are compressed when they are built, kept pages in front of all this: these are the answers to one reader
  app.use(compress());
  mountCalls(app, runtime);
  for (const mountDoor of settings.doors) mountDoor(app);
  mountPages(app, runtime, settings);
  app.onError((err, c) => {
    if (err instanceof HTTPException) return err.getResponse();
    const { requestId } = c.get('requestContext');
    runtime.log.error({ err, requestId, method: c.req.method, path: c.req.path }, 'a request failed');
    return c.text('Something went wrong.', 500);
  });
  return app;
}
