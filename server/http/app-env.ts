import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { RequestContext } from './request-context';

export type AppEnv = {
  Bindings: HttpBindings | undefined;
  Variables: {
    requestContext: RequestContext;
    /** The reason why a file in a form could not be stored (form-files.ts). */
    fileProblem?: unknown;
  };
};
export type App = Hono<AppEnv>;
