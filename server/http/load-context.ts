import type { Language } from '~/locales/languages';
import type { Actor } from '../ctx';
import type { Log } from '../log';
import { type Caller, createCaller } from '../trpc/caller';
import type { ApiCtx } from '../trpc/init';
import type { Urls } from '../urls';
import { type Explained, explainIn } from './explain';
import type { Site } from './host';
import type { RequestContext } from './request-context';

/** What Remix's loaders and actions get as `context`: the only way for a value of the server into a page. */
export type LoadContext = {
  /** Every procedure, called as whoever sent the request. */
  api: Caller;
  actor: Actor;
  language: Language;
  translate: ApiCtx['translate'];
  /** What failed, said in the reader's language. */
  explain: (error: unknown) => Explained;
  /** Whose pages are asked for. */
  site: Site;
  /** This host's address, and the app's own; neither ends with a slash. */
  origin: string;
  appUrl: string;
  /** Who looks at the page; null for a visitor. */
  viewer: { name: string; hasCreator: boolean } | null;
  urls: Urls;
  /** For inline scripts and styles: they run only with it. */
  nonce: string;
  requestId: string;
  log: Log;
  /** Address of the local inbox; null where mail really goes out. */
  inboxUrl: string | null;
  /** Payments are a simulation, which nobody may take for the real thing. */
  simulatesPayments: boolean;
};

declare module '@remix-run/node' {
  interface AppLoadContext extends LoadContext {}
}

/** One query for who is logged in, none for a visitor. */
export async function loadContext(
  ctx: ApiCtx,
  request: RequestContext,
  options: Pick<LoadContext, 'site' | 'inboxUrl' | 'simulatesPayments'>,
): Promise<LoadContext> {
  const { actor, language, translate, urls, log } = ctx;
  const { nonce, requestId, origin } = request;
  const api = createCaller(ctx);
  const user = actor.type === 'user' ? await api.accounts.me() : null;
  const viewer = user && { name: user.name, hasCreator: actor.type === 'user' && actor.creatorId !== null };
  const { appUrl } = urls.settings;
  const explain = explainIn(translate);
  return { api, actor, language, translate, explain, origin, appUrl, viewer, urls, nonce, requestId, log, ...options };
}
