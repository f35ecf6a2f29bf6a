import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { translate } from '../base/messages';
import { describeProblem } from '../base/problems';
import type { App } from '../http/app-env';
import { compressTexts } from '../http/compress-texts';
import { mountHealth, type Readiness } from '../http/health';
import { createMetrics, type Metrics, mountMetrics } from '../http/metrics';
import { recordRequests } from '../http/record-requests';
import { limitBodies } from '../http/request-body';
import type { RequestRules } from '../http/request-context';
import { secure } from '../http/security';
import { mountStaticFiles } from '../http/static-files';
import { streamFiles } from '../http/stream-files';
import type { Runtime } from '../runtime/runtime';
import { mountPages, type PageSettings } from './pages/pages';
import { mountTrpc } from './trpc';
import { storeFormFiles } from './uploads/form-files';

export type AppSettings = PageSettings & {
  rules: RequestRules;
  readiness: Readiness;
  /** Defaults to metrics of this app alone. */
  metrics?: Metrics;
  metricsToken: string | null;
  /** Folder of the client build; null if Vite serves it. */
  clientDir: string | null;
  /** Doors that are not pages; each mounts its routes. */
  doors: ((app: App) => void)[];
};

/** The Hono app: all doors after the Node-level ones, in order. */
export function createApp(runtime: Runtime, settings: AppSettings): App {
  const app: App = new Hono();
  app.use(recordRequests(settings.rules));
  app.use(secure(settings.policy));
  app.use(storeFormFiles(runtime));
  app.use(limitBodies);
  mountHealth(app, runtime, settings.readiness);
  mountMetrics(app, settings.metrics ?? createMetrics(runtime), settings.metricsToken);
  if (settings.clientDir) mountStaticFiles(app, settings.clientDir);
  // static files are compressed at build time and cached pages by the page cache; this covers all other responses
  app.use(compressTexts());
  app.use(streamFiles(runtime.log));
  mountTrpc(app, runtime);
  for (const mountDoor of settings.doors) mountDoor(app);
  mountPages(app, runtime, settings);
  app.onError((err, c) => {
    if (err instanceof HTTPException) return err.getResponse();
    const { requestId, language } = c.get('requestContext');
    const { kind, code, params } = describeProblem(err);
    if (kind === 'unavailable') {
      const text = translate(language, `errors:${code}`, params);
      return c.text(text, 503, { 'retry-after': String(params.seconds), 'cache-control': 'no-store' });
    }
    runtime.log.error({ err, requestId, method: c.req.method, path: c.req.path }, 'request failed');
    return c.text('Something went wrong.', 500);
  });
  return app;
}
