import { DAYS, HOURS, MINUTES, SECONDS } from '../base/time';

/**
 * Apps that people connect by OAuth. Lengths in characters. `grants`: apps connected to one creator at the same time.
 * `grace`: how long a replaced refresh token still leads to its successor.
 * `unused`: how long a registration is kept that nobody has used; `forgotten`: one that has nothing connected any more.
 * `notedEvery`: how often the last use of a connection is written. `cachedFor`: how long a token is known without a query.
 * `body`: of a request for tokens or a registration, in bytes.
 */
export const APP_LIMITS = {
  nameLength: 100,
  redirectUris: 10,
  redirectUriLength: 500,
  stateLength: 1000,
  parameterLength: 1000,
  grants: 50,
  listed: 100,
  code: SECONDS(60),
  access: HOURS(1),
  refresh: DAYS(30),
  grace: SECONDS(30),
  unused: DAYS(1),
  forgotten: DAYS(90),
  notedEvery: MINUTES(1),
  cached: 5000,
  cachedFor: SECONDS(1),
  body: 16 * 1024,
} as const;

/**
 * The assistant's door. `body`: of a request, in bytes. `text`: what a tool returns at most, in characters; `shownNotes` and
 * `untrusted`: one text in it. `listed`, `found`, `points`: rows that a tool returns. `notesLength`, `chapters`: what a
 * tool may write.
 */
export const MCP_LIMITS = {
  body: 128 * 1024,
  text: 24_000,
  listed: 50,
  found: 25,
  notesLength: 20_000,
  chapters: 200,
  points: 100,
  shownNotes: 8000,
  untrusted: 2000,
} as const;
