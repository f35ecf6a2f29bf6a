import { parse } from 'hono/utils/cookie';
import type { Runtime } from '~/server/runtime/runtime';
import { createCaller } from '~/server/trpc/caller';
import { cookieContext } from '~/server/trpc/context';

type Jar = Record<string, string>;

/** Calls procedures like a browser with these cookies, and returns the values of the cookies that they set. */
export async function browser(runtime: Runtime, jar: Jar = {}) {
  const cookie = Object.entries(jar).map(([name, value]) => `${name}=${value}`);
  const headers = new Headers({ 'user-agent': 'Test/1.0', ...(cookie.length > 0 && { cookie: cookie.join('; ') }) });
  const language = 'en' as const;
  const request = { headers, host: 'altavoz.localhost', address: '203.0.113.7', requestId: 'test', language };
  const out = new Headers();
  const api = createCaller(await cookieContext(runtime, request, out));
  const cookies = (): Jar => Object.assign({}, ...out.getSetCookie().map((line) => parse(line.split(';')[0]!)));
  return { api, cookies };
}
