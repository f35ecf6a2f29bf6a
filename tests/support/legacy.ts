import type { ServerBuild } from '@remix-run/node';
import { z } from 'zod';
import { createApp } from '~/server/doors/app';
import { createShowLanguages } from '~/server/http/caches/show-language';
import { type AnswerCache, createAnswerCache } from '~/server/rest/answer-cache';
import { restDoor } from '~/server/rest/door';
import { matchCall } from '~/server/rest/match';
import type { testRuntime } from './runtime';

type Sent = {
  token?: string | null;
  json?: unknown;
  form?: Record<string, string> | FormData;
  headers?: Record<string, string>;
};
/** `body` is the parsed JSON: objects by field, lists by index. */
type Reply = { status: number; body: Record<string, unknown>; headers: Headers };

/** A legacy client of the complete app. Successful responses must match the published schema. */
export function legacyClient(
  { runtime, env }: Pick<Awaited<ReturnType<typeof testRuntime>>, 'runtime' | 'env'>,
  options: { origins?: string[]; language?: string; answers?: AnswerCache } = {},
) {
  const app = createApp(runtime, {
    rules: { hosts: { ...env.urls, allowsUnprefixedHosts: true, trustProxy: false }, trustedProxies: 1 },
    policy: { urls: env.urls, uploadOrigin: null, development: false },
    readiness: { stopping: false },
    metricsToken: null,
    inboxUrl: null,
    simulatesPayments: false,
    build: async () => ({}) as ServerBuild,
    showLanguages: createShowLanguages(runtime.db),
    clientDir: null,
    doors: [restDoor(runtime, options.origins ?? [], options.answers ?? createAnswerCache(() => false))],
  });

  async function send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
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
    const reply: Reply = {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      headers: response.headers,
    };
    if (response.ok && text !== '') assertMatchesSchema(method, url, reply.body);
    return reply;
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

function assertMatchesSchema(method: string, url: string, body: unknown): void {
  const match = matchCall(method, new URL(url).pathname.replace('/api/', ''));
  if (match?.call) match.call.out?.schema.parse(body);
}

/** Typed reads of a body's fields. @throws if the field has another type */
export const stringOf = (value: unknown): string => z.string().parse(value);
export const numberOf = (value: unknown): number => z.number().parse(value);
export const rowsOf = (value: unknown) => z.array(z.record(z.string(), z.unknown())).parse(value);
