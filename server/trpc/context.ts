import { randomBytes } from 'node:crypto';
import { BUYER_COOKIE, cookieWriter, LOGIN_ATTEMPT_COOKIE, PENDING_LOGIN_COOKIE, readCookie } from '../auth/cookies';
import { DEVICE_COOKIE } from '../auth/devices';
import type { ActiveSession, SessionClient } from '../auth/sessions';
import { readSource } from '../auth/source-cookies';
import { hashToken } from '../auth/token-hash';
import { notAuthorized } from '../base/errors';
import { localeOf, regionsOf } from '../base/formats';
import { translate } from '../base/messages';
import { RECOMMENDATION_COOKIE, recommendationOf } from '../base/recommended-visits';
import { networkOf, SITE } from '../flow/rate-limits';
import { guardCode, guardLogIn } from '../http/login-guard';
import { actorOf, type ClientRequest, ownActorOf, readSession, sessionToken } from '../http/request-context';
import type { Client, SessionPort } from '../runtime/ctx';
import { baseCtx, type Runtime } from '../runtime/runtime';
import type { ApiCtx } from './init';

const BROWSER_BYTES = 32;

/** The values that the client keeps. */
type ClientState = {
  channel: Client['channel'];
  sessions: SessionPort;
  device: { recognize(email: string): string | null; remember(email: string): void };
  loginAttempt: ApiCtx['loginAttempt'];
  buyer: ApiCtx['buyer'];
};

const userAgentOf = ({ headers }: ClientRequest) => headers.get('user-agent') ?? '';

/** The facts about its client that a new session stores. */
async function sessionClient(
  { ports, log }: Runtime,
  request: ClientRequest,
  channel: SessionClient['channel'],
): Promise<SessionClient> {
  const country = await ports.geo.countryOf(request.address).catch((err) => {
    log.warn({ err }, 'country of a session unknown');
    return null;
  });
  return { channel, userAgent: userAgentOf(request), country };
}

function apiCtx(
  runtime: Runtime,
  request: ClientRequest,
  session: ActiveSession | null,
  { sessions, device, loginAttempt, buyer, channel }: ClientState,
): ApiCtx {
  const { language, address } = request;
  const region = session && (session.country ?? regionsOf(request.headers.get('accept-language') ?? '')[0] ?? null);
  const userAgent = userAgentOf(request);
  const cookie = request.headers.get('cookie');
  const source = readSource(cookie, runtime);
  const recommendationId = recommendationOf(runtime.vault, readCookie(cookie, RECOMMENDATION_COOKIE)) ?? undefined;
  const referrer = request.headers.get('referer') ?? undefined;
  const network = networkOf(address, SITE);
  const client = { address, userAgent, referrer, network, isKnownDevice: false, channel, source, recommendationId };
  return {
    ...baseCtx(runtime),
    actor: channel === 'rest' ? ownActorOf(session) : actorOf(session),
    language,
    locale: localeOf(language, region),
    region,
    translate: (key, params, other = language) => translate(other, key, params),
    log: runtime.log.child({ requestId: request.requestId }),
    sessions,
    loginAttempt,
    buyer,
    client,
    // callers of the API share the network of one service, and more keys must not allow more
    limit: (name, by = channel === 'api' && session ? `creator:${session.creatorId}` : networkOf(address)) =>
      runtime.rateLimits.consume(name, by),
    logins: {
      attempt: (email, logIn) =>
        guardLogIn(runtime.rateLimits, { email, client, device: device.recognize(email), isShared: false }, logIn),
      clientFor: (email) => ({ ...client, isKnownDevice: device.recognize(email) !== null }),
      remember: (email) => device.remember(email),
    },
    codes: {
      attempt({ email, isGuessable: isShared }, check) {
        return guardCode(runtime.rateLimits, { email, client, device: device.recognize(email), isShared }, check);
      },
    },
  };
}

/** For pages and /trpc: the cookie identifies the user. Logging in and out adds Set-Cookie headers to `out`. */
export async function cookieContext(runtime: Runtime, request: ClientRequest, out: Headers): Promise<ApiCtx> {
  const header = request.headers.get('cookie');
  const session = await readSession(runtime.sessions, header);
  const cookies = cookieWriter(runtime.cookies, request.host, out);
  if (!session && sessionToken(header)) cookies.clear();
  if (session?.renewed) cookies.session(session.token);
  if (session) correctPodcaster(header, session, cookies);
  const store = ({ language, consent, recommendation }: Parameters<SessionPort['remember']>[0]) => {
    if (language) cookies.language(language);
    if (consent) cookies.consent(consent);
    if (recommendation) cookies.recommendation(recommendation);
  };
  const sessions: SessionPort = {
    async open(userId) {
      if (session) await runtime.sessions.end(session.token);
      const { token: fresh } = await runtime.sessions.start(userId, await sessionClient(runtime, request, 'web'));
      const opened = await runtime.sessions.read(fresh);
      cookies.session(fresh);
      if (opened) store({ language: opened.language ?? undefined });
      if (opened?.creatorId) cookies.podcaster(opened.creatorId);
      return { token: fresh };
    },
    announceEnded: () => runtime.sessions.refresh(),
    async workFor(creatorId) {
      if (session) await runtime.sessions.workFor(session.token, creatorId);
      cookies.podcaster(creatorId);
    },
    async remember(facts) {
      store(facts);
      if (session && (facts.language || facts.country)) await runtime.sessions.refresh();
    },
    async close() {
      if (session) await runtime.sessions.end(session.token);
      cookies.clear();
      cookies.signedOut();
    },
    pendingLogIn: pendingLogIn(header, cookies),
  };
  return apiCtx(runtime, request, session, { channel: 'web', sessions, ...cookieState(runtime, request, out) });
}

/** The team's owner may have removed the member since the cookie was written. */
function correctPodcaster(
  header: string | null,
  { creatorId }: ActiveSession,
  cookies: ReturnType<typeof cookieWriter>,
): void {
  const kept = readCookie(header, 'podcaster');
  if (kept !== undefined && kept !== String(creatorId)) cookies.podcaster(creatorId);
}

function pendingLogIn(header: string | null, cookies: ReturnType<typeof cookieWriter>): SessionPort['pendingLogIn'] {
  const token = readCookie(header, PENDING_LOGIN_COOKIE) ?? null;
  return {
    token,
    keep: cookies.pendingLogIn,
    clear() {
      if (token !== null) cookies.pendingLogIn('');
    },
  };
}

function cookieState(
  runtime: Runtime,
  { headers, host }: ClientRequest,
  out: Headers,
): Omit<ClientState, 'sessions' | 'channel'> {
  const read = (name: string) => readCookie(headers.get('cookie'), name);
  const write = () => cookieWriter(runtime.cookies, host, out);
  let secret = read(LOGIN_ATTEMPT_COOKIE);
  let buyer = read(BUYER_COOKIE) || undefined;
  return {
    device: {
      recognize: (email) => runtime.devices.recognize(read(DEVICE_COOKIE), email),
      remember: (email) => write().device(runtime.devices.issue(email)),
    },
    loginAttempt: {
      browser() {
        secret ??= randomBytes(BROWSER_BYTES).toString('base64url');
        write().loginAttempt(secret);
        return secret;
      },
    },
    buyer: {
      known: () => (buyer === undefined ? null : hashToken(buyer)),
      browser() {
        buyer ??= randomBytes(BROWSER_BYTES).toString('base64url');
        write().buyer(buyer);
        return hashToken(buyer);
      },
    },
  };
}

/**
 * For /api: only the token of the Authorization header identifies the user. The only cookie is the device's, which
 * gives no access: logging in reads it and adds it to `out`.
 */
export async function tokenContext(
  runtime: Runtime,
  { request, out }: { request: ClientRequest; out: Headers },
  session: ActiveSession | null,
): Promise<ApiCtx> {
  const sessions: SessionPort = {
    open: async (userId) => runtime.sessions.start(userId, await sessionClient(runtime, request, 'rest')),
    close: async () => {
      if (session) await runtime.sessions.end(session.token);
    },
    announceEnded: () => runtime.sessions.refresh(),
    workFor: async (creatorId) => {
      if (session) await runtime.sessions.workFor(session.token, creatorId);
    },
    remember: () => runtime.sessions.refresh(),
    pendingLogIn: null,
  };
  return apiCtx(runtime, request, session, { channel: 'rest', sessions, ...cookieState(runtime, request, out) });
}

/**
 * For the API: a key or an app works for one creator. It opens and ends no sessions, and keeps nothing in the client.
 * @param session who calls; its `token` names the key, and is no token of a session
 */
export function apiCtxOf(runtime: Runtime, request: ClientRequest, session: ActiveSession): ApiCtx {
  const refuse = () => Promise.reject(notAuthorized());
  const sessions: SessionPort = {
    open: refuse,
    close: refuse,
    workFor: refuse,
    announceEnded: () => runtime.sessions.refresh(),
    remember: () => runtime.sessions.refresh(),
    pendingLogIn: null,
  };
  const none = (): never => {
    throw notAuthorized();
  };
  return apiCtx(runtime, request, session, {
    channel: 'api',
    sessions,
    device: { recognize: () => null, remember: () => {} },
    loginAttempt: { browser: none },
    buyer: { known: () => null, browser: none },
  });
}
