import type { Language } from '~/locales/languages';
import { appName, osName } from '../../agents/classify';
import { referrerName } from '../../agents/referrers';
import type { Locale } from '../../base/formats';
import { regionName } from '../../base/regions';
import type { Urls } from '../../base/urls';
import { needsFirstLogin } from '../../domain/accounts/base/rules';
import type { Site } from '../../http/host';
import type { RequestContext } from '../../http/request-context';
import type { Actor, PublicSettings } from '../../runtime/ctx';
import { type Caller, createCaller } from '../../trpc/caller';
import type { ApiCtx } from '../../trpc/init';
import type { Log } from '../../watching/log';
import { addressReader, type PublicAddress } from './page-address';
import { problemRenderer, type RenderedProblem } from './render-problem';

/** The `context` of Remix loaders and actions: the only way for server values to reach pages. */
export type LoadContext = {
  /** Every procedure, called as the request's user. */
  api: Caller;
  actor: Actor;
  language: Language;
  /** Of dates, times, numbers and amounts. Visitors get the neutral one, so that their pages can be cached. */
  locale: Locale;
  /** The country of the user's account, or the region of the browser; null for visitors. */
  region: string | null;
  translate: ApiCtx['translate'];
  /** Renders an error in the user's language. */
  describeError: (error: unknown) => RenderedProblem;
  /** The site whose pages this host or path serves. */
  site: Site;
  /** Base URLs of this host and of the app, without trailing slash. */
  origin: string;
  appUrl: string;
  /** The logged-in user; null for a visitor. `usesStudio`: as the owner or a member of a creator's team. */
  viewer: { name: string; avatar: string | null; hasCreator: boolean; usesStudio: boolean } | null;
  /** The user must answer the first-login dialog before any other page. */
  needsFirstLogin: boolean;
  urls: Urls;
  /** The show or episode at the address of a public page that a user typed; null for other addresses. */
  addressOf: (url: string) => PublicAddress | null;
  settings: PublicSettings;
  /** Names from tables that are too large for browsers. */
  clientNames: {
    app(id: string): string;
    os(id: string): string;
    referrer(host: string): string;
    region(code: string): string;
  };
  /** Inline scripts and styles run only with this nonce. */
  nonce: string;
  requestId: string;
  log: Log;
  /**
   * Schema.org's description of the page, which its loader sets. If it were in the loader's data, the page would
   * contain it twice.
   */
  structuredData: { json: string };
  /** URL of the local inbox; null if real emails are sent. */
  inboxUrl: string | null;
  /** No real money moves, and every page must state it. */
  simulatesPayments: boolean;
  /** The demo is being created, and every page must state it. */
  preparesDemo: boolean;
  /** The address to which this request must be redirected because its cookies were tampered with; otherwise null. */
  leaveFor: string | null;
  /** The reason why a file in the submitted form could not be stored; otherwise null. */
  fileProblem: unknown;
  /** A Google Tag Manager container; null if nothing is tracked. */
  gtmId: string | null;
};

declare module '@remix-run/node' {
  interface AppLoadContext extends LoadContext {}
}

type Given = 'site' | 'inboxUrl' | 'simulatesPayments' | 'preparesDemo' | 'leaveFor' | 'fileProblem';

/** One query for a logged-in user; no query for a visitor. */
export async function loadContext(
  ctx: ApiCtx,
  request: RequestContext,
  options: Pick<LoadContext, Given>,
): Promise<LoadContext> {
  const { actor, language, locale, region, translate, urls, log, settings } = ctx;
  const { nonce, requestId, origin } = request;
  const api = createCaller(ctx);
  const user = actor.type === 'user' ? await api.accounts.me() : null;
  const viewer = user && {
    name: user.name,
    avatar: user.avatar?.webp[96] ?? null,
    hasCreator: user.type === 'creator',
    usesStudio: user.creator !== null,
  };
  const { appUrl } = urls.settings;
  const describeError = problemRenderer(translate);
  return {
    api,
    actor,
    language,
    locale,
    region,
    translate,
    describeError,
    origin,
    appUrl,
    viewer,
    needsFirstLogin: user !== null && needsFirstLogin(user),
    urls,
    addressOf: addressReader(urls),
    settings,
    clientNames: { app: appName, os: osName, referrer: referrerName, region: (code) => regionName(code, language) },
    nonce,
    requestId,
    log,
    gtmId: ctx.settings.gtmId,
    structuredData: { json: '{}' },
    ...options,
  };
}
