import { z } from 'zod';
import { type AnswerCache, createAnswerCache } from '~/server/rest/answer-cache';
import { restDoor } from '~/server/rest/door';
import { matchCall } from '~/server/rest/match';
import { apiApp, methodsOf, type Tested } from './api-app';

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
  tested: Tested,
  options: { origins?: string[]; language?: string; answers?: AnswerCache } = {},
) {
  const { runtime, env } = tested;
  const app = apiApp(tested, [
    restDoor(runtime, options.origins ?? [], options.answers ?? createAnswerCache(() => false)),
  ]);

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

  return { app, send, ...methodsOf(send) };
}

function assertMatchesSchema(method: string, url: string, body: unknown): void {
  const match = matchCall(method, new URL(url).pathname.replace('/api/', ''));
  if (match?.call) match.call.out?.schema.parse(body);
}

/** Typed reads of a body's fields. @throws if the field has another type */
export const stringOf = (value: unknown): string => z.string().parse(value);
export const numberOf = (value: unknown): number => z.number().parse(value);
export const rowsOf = (value: unknown) => z.array(z.record(z.string(), z.unknown())).parse(value);
