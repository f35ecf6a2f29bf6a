import type { Actor, Language } from '../ctx';
import type { Log } from '../log';
import { type Caller, createCaller } from '../trpc/caller';
import type { ApiCtx } from '../trpc/init';
import type { Urls } from '../urls';
import type { Facts } from './facts';
import type { Site } from './host';

/** What Remix's loaders and actions get as `context`: the only way for a value of the server into a page. */
export type LoadContext = {
  /** Every procedure, called as whoever sent the request. */
  api: Caller;
  actor: Actor;
  language: Language;
  say: ApiCtx['say'];
  /** Whose pages are asked for. */
  site: Site;
  /** Host as the visitor typed it, without a port. */
  host: string;
  urls: Urls;
  /** For inline scripts and styles: they run only with it. */
  nonce: string;
  requestId: string;
  log: Log;
  /** Address of the local inbox; null where mail really goes out. */
  inboxUrl: string | null;
  /** Whether the client called too often; seconds to wait, or null. */
  limit: ApiCtx['limit'];
};

declare module '@remix-run/node' {
  interface AppLoadContext extends LoadContext {}
}

export function loadContext(ctx: ApiCtx, facts: Facts, site: Site, inboxUrl: string | null): LoadContext {
  const { actor, language, say, urls, log, limit } = ctx;
  const { host, nonce, requestId } = facts;
  return { api: createCaller(ctx), actor, language, say, site, host, urls, nonce, requestId, log, inboxUrl, limit };
}
