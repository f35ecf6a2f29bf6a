import type { ServerBuild } from '@remix-run/node';
import { createApp } from '~/server/http/app';
import { restDoor } from '~/server/rest/door';
import { matchCall } from '~/server/rest/match';
import type { testRuntime } from './runtime';

type Sent = {
  token?: string | null;
  json?: unknown;
  form?: Record<string, string> | FormData;
  headers?: Record<string, string>;
};
// biome-ignore lint/suspicious/noExplicitAny: what came over the wire, for tests to look into
export type Heard = { status: number; body: any; headers: Headers };

/** A legacy client in front of the whole app; what it hears of success must fit the published schema. */
export function legacyClient(
  { runtime, env }: Pick<Awaited<ReturnType<typeof testRuntime>>, 'runtime' | 'env'>,
  options: { origins?: string[]; language?: string } = {},
) {
  const app = createApp(runtime, {
    rules: { hosts: { ...env.urls, allowsUnprefixedHosts: true, trustProxy: false }, trustedProxies: 1 },
    policy: { urls: env.urls, uploadOrigin: null, development: false },
    readiness: { stopping: false },
    metricsToken: null,
    inboxUrl: null,
    simulatesPayments: false,
    build: async () => ({}) as ServerBuild,
    clientDir: null,
    doors: [restDoor(runtime, options.origins ?? [])],
  });

  async function send(method: string, path: string, sent: Sent = {}): Promise<Heard> {
    const headers = new Headers({ 'accept-language': options.language ?? 'en', ...sent.headers });
    if (sent.token) headers.set('authorization', `Token ${sent.token}`);
    let body: BodyInit | undefined;
    if (sent.json !== undefined) {
      headers.set('content-type', 'application/json');
      body = JSON.stringify(sent.json);
    } else if (sent.form) {
      body = sent.form instanceof FormData ? sent.form : new URLSearchParams(sent.form);
    }
    const url = path.startsWith('http') ? path : `${env.urls.appUrl}/api/${path}`;
    const response = await app.request(url, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    const heard = { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers };
    if (response.ok && text !== '') fits(method, url, heard.body);
    return heard;
  }

  return {
    app,
    send,
    get: (path: string, sent?: Sent) => send('GET', path, sent),
    post: (path: string, sent?: Sent) => send('POST', path, sent),
    patch: (path: string, sent?: Sent) => send('PATCH', path, sent),
    delete: (path: string, sent?: Sent) => send('DELETE', path, sent),
  };
}

function fits(method: string, url: string, body: unknown): void {
  const match = matchCall(method, new URL(url).pathname.replace('/api/', ''));
  if (match?.call) match.call.out?.schema.parse(body);
}
