import { parse } from 'hono/utils/cookie';
import { rawDoors } from '~/server/doors/all-doors';
import { createAnswerCache } from '~/server/rest/answer-cache';
import type { cast } from './cast';
import { pagesApp } from './pages-app';

type Staged = Pick<Awaited<ReturnType<typeof cast>>, 'runtime' | 'env' | 'identitySandbox'>;
export type Provider = 'google' | 'facebook';
type Person = { name?: string; email: string; verified?: boolean } | { choice: string };

/** The application with its pages, the sandbox of Google and Facebook, and browsers that use both over HTTP. */
export function identityStage({ runtime, env, identitySandbox }: Staged) {
  const unused = {
    inbox: null,
    spotifySandbox: null,
    stripeSandbox: null,
    dnsZone: null,
    directUrl: '',
    close: async () => {},
  };
  const opened = { runtime, jobsRuntime: runtime, identitySandbox, ...unused };
  const answers = createAnswerCache(() => false);
  const app = pagesApp(runtime, env.urls, { doors: rawDoors(opened, env, answers) });
  const { appUrl } = env.urls;

  let browsers = 0;
  /** Keeps cookies, and does not follow redirects. Each browser has its own address, so that it meets no rate limit. */
  function browser(cookies: Record<string, string> = {}) {
    const connection = { incoming: { socket: { remoteAddress: `203.0.113.${++browsers}` } } } as never;
    async function request(url: string, form?: Record<string, string>): Promise<Response> {
      const target = new URL(url, appUrl);
      const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
      const headers = { host: target.host, origin: target.origin, cookie: cookie.join('; '), 'user-agent': 'Test/1.0' };
      const body = form && new URLSearchParams(form);
      const response = await app.request(target.href, { headers, ...(body && { method: 'POST', body }) }, connection);
      for (const line of response.headers.getSetCookie()) {
        const isRemoved = /max-age=0\b/i.test(line);
        const [[name = '', value = ''] = []] = Object.entries(parse(line.split(';')[0] ?? ''));
        if (isRemoved) delete cookies[name];
        else cookies[name] = value;
      }
      return response;
    }
    const go = async (url: string, form?: Record<string, string>) =>
      (await request(url, form)).headers.get('location') ?? '';
    /** Begins a log-in at our page. @returns the URL of the provider's page */
    const begin = (provider: Provider, query = '') => go(`/login/${provider}${query}`);
    /** Submits the provider's page. @returns its redirect to us */
    const choose = (page: string, person: Person) => go(page, formOf(person));
    /** Follows the provider's redirect. @returns the path that our redirect leads to */
    async function come(callback: string): Promise<string> {
      const target = new URL(await go(callback), appUrl);
      return target.href.slice(target.origin === appUrl ? appUrl.length : 0).replace(/#$/, '');
    }
    const logIn = async (provider: Provider, person: Person, query = '') =>
      come(await choose(await begin(provider, query), person));
    return { cookies, request, go, begin, choose, come, logIn };
  }
  return { browser, appUrl };
}

function formOf(person: Person): Record<string, string> {
  if ('choice' in person) return person;
  const { name = 'Elena Prado', email, verified = true } = person;
  return { choice: 'other', name, email, ...(verified && { verified: 'on' }) };
}
