import { cookieWriter, readCookie } from '../auth/cookies';
import { type Reading, SESSION_COOKIE } from '../auth/sessions';
import type { Actor, Language, SessionPort } from '../ctx';
import { say } from '../messages';
import { VISITOR } from '../policy/actor';
import { baseCtx, type World } from '../world';
import type { ApiCtx } from './init';

export type RequestFacts = {
  headers: Headers;
  /** Host as the client named it. */
  host: string;
  address: string;
  requestId: string;
  language: Language;
};

function actorOf(reading: Reading | null): Actor {
  if (!reading) return VISITOR;
  return { type: 'user', userId: reading.userId, creatorId: reading.creatorId, sessionId: reading.token };
}

function make(world: World, facts: RequestFacts, reading: Reading | null, sessions: SessionPort): ApiCtx {
  const { language } = facts;
  return {
    ...baseCtx(world),
    actor: actorOf(reading),
    language,
    say: (key, params, other = language) => say(other, key, params),
    log: world.log.child({ requestId: facts.requestId }),
    sessions,
    client: { address: facts.address, userAgent: facts.headers.get('user-agent') ?? '' },
    limit: (name, key = facts.address) => world.rateLimits.consume(name, key),
  };
}

/** For pages and /trpc: the cookie says who it is; log-ins and log-outs write cookies into `out`. */
export async function cookieContext(world: World, facts: RequestFacts, out: Headers): Promise<ApiCtx> {
  const header = facts.headers.get('cookie');
  const token = readCookie(header, SESSION_COOKIE);
  const reading = token ? await world.sessions.read(token) : null;
  const cookies = cookieWriter(world.cookies, facts.host, out);
  if (token && !reading) cookies.clear();
  if (reading?.renewed) cookies.session(reading.token);
  const remember: SessionPort['remember'] = ({ creatorId, language }) => {
    if (creatorId) cookies.podcaster(creatorId);
    if (language) cookies.language(language);
  };
  return make(world, facts, reading, {
    async open(userId) {
      const { token: fresh } = await world.sessions.start(userId);
      const opened = await world.sessions.read(fresh);
      cookies.session(fresh);
      if (opened) remember({ creatorId: opened.creatorId ?? undefined, language: opened.language });
      return { token: fresh };
    },
    remember,
    async close() {
      if (reading) await world.sessions.end(reading.token);
      cookies.clear();
    },
  });
}

/** For api/*: only the token that the door read from its header counts; no cookie is read or written. */
export async function tokenContext(world: World, facts: RequestFacts, reading: Reading | null): Promise<ApiCtx> {
  return make(world, facts, reading, {
    open: (userId) => world.sessions.start(userId),
    close: async () => {
      if (reading) await world.sessions.end(reading.token);
    },
    remember: () => {},
  });
}
