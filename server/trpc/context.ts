import type { Language } from '~/locales/languages';
import { cookieWriter, readCookie } from '../auth/cookies';
import { type ActiveSession, SESSION_COOKIE } from '../auth/sessions';
import type { Actor, SessionPort } from '../ctx';
import { translate } from '../messages';
import { VISITOR } from '../policy/actor';
import { baseCtx, type Runtime } from '../runtime';
import type { ApiCtx } from './init';

export type RequestFacts = {
  headers: Headers;
  /** Host as the client named it. */
  host: string;
  address: string;
  requestId: string;
  language: Language;
};

function actorOf(reading: ActiveSession | null): Actor {
  if (!reading) return VISITOR;
  return { type: 'user', userId: reading.userId, creatorId: reading.creatorId, sessionId: reading.token };
}

function make(runtime: Runtime, facts: RequestFacts, reading: ActiveSession | null, sessions: SessionPort): ApiCtx {
  const { language } = facts;
  return {
    ...baseCtx(runtime),
    actor: actorOf(reading),
    language,
    translate: (key, params, other = language) => translate(other, key, params),
    log: runtime.log.child({ requestId: facts.requestId }),
    sessions,
    client: { address: facts.address, userAgent: facts.headers.get('user-agent') ?? '' },
    limit: (name, key = facts.address) => runtime.rateLimits.consume(name, key),
  };
}

/** For pages and /trpc: the cookie says who it is; log-ins and log-outs write cookies into `out`. */
export async function cookieContext(runtime: Runtime, facts: RequestFacts, out: Headers): Promise<ApiCtx> {
  const header = facts.headers.get('cookie');
  const token = readCookie(header, SESSION_COOKIE);
  const reading = token ? await runtime.sessions.read(token) : null;
  const cookies = cookieWriter(runtime.cookies, facts.host, out);
  if (token && !reading) cookies.clear();
  if (reading?.renewed) cookies.session(reading.token);
  const remember: SessionPort['remember'] = ({ creatorId, language }) => {
    if (creatorId) cookies.podcaster(creatorId);
    if (language) cookies.language(language);
  };
  return make(runtime, facts, reading, {
    async open(userId) {
      const { token: fresh } = await runtime.sessions.start(userId);
      const opened = await runtime.sessions.read(fresh);
      cookies.session(fresh);
      if (opened) remember({ creatorId: opened.creatorId ?? undefined, language: opened.language });
      return { token: fresh };
    },
    remember,
    async close() {
      if (reading) await runtime.sessions.end(reading.token);
      cookies.clear();
    },
  });
}

/** For api/*: only the token that the door read from its header counts; no cookie is read or written. */
export async function tokenContext(
  runtime: Runtime,
  facts: RequestFacts,
  reading: ActiveSession | null,
): Promise<ApiCtx> {
  return make(runtime, facts, reading, {
    open: (userId) => runtime.sessions.start(userId),
    close: async () => {
      if (reading) await runtime.sessions.end(reading.token);
    },
    remember: () => {},
  });
}
