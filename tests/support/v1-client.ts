import { z } from 'zod';
import { SCOPES, type Scope } from '~/db/values/api-scopes';
import { createKey } from '~/server/domain/developers/create-key';
import { v1Door } from '~/server/doors/v1/door';
import { matchV1 } from '~/server/doors/v1/match-call';
import { type AnswerCache, createAnswerCache } from '~/server/rest/answer-cache';
import type { acting } from './acting';
import { apiApp, methodsOf, type Tested } from './api-app';
import { PASSWORD } from './make';

type Sent = { key?: string | null; json?: unknown; body?: string; headers?: Record<string, string> };
export type V1Reply = { status: number; body: Record<string, unknown>; headers: Headers; text: string };

/** A client of the API of the complete app. Successful answers must match the published schema. */
export function v1Client(tested: Tested, { answers = createAnswerCache(() => false) }: { answers?: AnswerCache } = {}) {
  const { runtime, env } = tested;
  const app = apiApp(tested, [v1Door(runtime, answers)]);

  async function send(method: string, path: string, sent: Sent = {}): Promise<V1Reply> {
    const headers = new Headers({ 'accept-language': 'en', 'x-forwarded-for': '203.0.113.7', ...sent.headers });
    if (sent.key) headers.set('authorization', `Bearer ${sent.key}`);
    if (sent.json !== undefined) headers.set('content-type', 'application/json');
    const body = sent.json === undefined ? sent.body : JSON.stringify(sent.json);
    const url = `${env.urls.appUrl}/v1${path}`;
    const response = await app.request(url, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    const reply = {
      status: response.status,
      body: text === '' ? {} : JSON.parse(text),
      headers: response.headers,
      text,
    };
    if (response.ok && text !== '' && !url.includes('fields=')) assertMatchesView(method, url, reply.body);
    return reply;
  }

  return { app, send, ...methodsOf(send) };
}

function assertMatchesView(method: string, url: string, body: unknown): void {
  const match = matchV1(method, new URL(url).pathname.replace('/v1', ''));
  const view = match?.call?.out;
  if (!view) return;
  const list = z.strictObject({ data: z.array(view.schema), total: z.int(), next_cursor: z.string().nullable() });
  (match.call?.isPaged ? list : view.schema).parse(body);
}

type Owner = { id: number; creatorId: number };

/** Creates keys for tests. */
export function keyMaker({ ctxOf }: Pick<ReturnType<typeof acting>, 'ctxOf'>) {
  return async (owner: Owner, scopes: readonly Scope[] = SCOPES): Promise<string> => {
    const { key } = await createKey(ctxOf(owner), {
      name: 'Test',
      scopes: [...scopes],
      life: 'forever',
      currentPassword: PASSWORD,
    });
    return key;
  };
}
