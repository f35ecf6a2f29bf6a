import { AltavozProblem } from './problem.js';
import type { Calls } from './types.js';

type Route = keyof Calls;
type PagedRoute = { [R in Route]: Calls[R]['isPaged'] extends true ? R : never }[Route];
export type AnswerOf<R extends Route> = Calls[R]['answer'];
type Page<Item> = { data: Item[]; total: number; next_cursor: string | null };
type ResultOf<R extends Route> = R extends PagedRoute ? Page<AnswerOf<R>> : AnswerOf<R>;

type Value = string | number | boolean;
/** `params`: of the path, such as `id`. `idempotencyKey`: a change with the same key is made once; made up if absent. */
export type CallInput<R extends Route = Route> = {
  params?: Record<string, Value>;
  query?: Record<string, Value>;
  body?: NonNullable<Calls[R]['body']>;
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/** `token`: a key (`av_live_…`) or an app's token, or a function that gets a fresh one. `retries`: after the first attempt. */
export type ClientOptions = {
  token: string | (() => string | Promise<string>);
  /** `https://altavoz.example`, without a slash at the end. */
  url: string;
  language?: string;
  version?: string;
  retries?: number;
  fetch?: typeof fetch;
  /** Waits so many milliseconds. */
  wait?: (ms: number) => Promise<void>;
};

export type AltavozClient = ReturnType<typeof createClient>;

const VERSION = '2026-11-29';
const RETRIED = new Set([429, 502, 503, 504]);
/** A server that asks for a longer pause is not asked again. */
const LONGEST_PAUSE_MS = 60_000;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A client of the API v1 of Altavoz. */
export function createClient(options: ClientOptions) {
  const { retries = 3, wait = sleep, fetch: send = fetch } = options;

  /** Makes one call. @throws AltavozProblem if the API refuses it */
  async function call<R extends Route>(route: R, input: CallInput<R> = {}): Promise<ResultOf<R>> {
    const [method = 'GET', path = ''] = route.split(' ');
    // with a key, a change that is sent again is made once
    const key = method === 'GET' ? null : (input.idempotencyKey ?? crypto.randomUUID());
    for (let attempt = 0; ; attempt++) {
      const response = await sendOnce(method, path, { ...input, key }).catch((error: unknown) => {
        if (attempt >= retries || input.signal?.aborted) throw error;
        return null;
      });
      if (response?.ok) return (response.status === 204 ? null : await response.json()) as ResultOf<R>;
      const pause = pauseAfter(response, attempt);
      const isFinal = response && (!RETRIED.has(response.status) || attempt >= retries || pause > LONGEST_PAUSE_MS);
      if (isFinal) throw await AltavozProblem.of(response);
      await wait(pause);
    }
  }

  async function sendOnce(method: string, path: string, { params, query, body, key, signal }: Sent): Promise<Response> {
    const token = typeof options.token === 'string' ? options.token : await options.token();
    const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')));
    const url = new URL(`${options.url}/v1${filled}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value));
    const headers: Record<string, string> = {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'altavoz-version': options.version ?? VERSION,
      ...(options.language && { 'accept-language': options.language }),
      ...(key && { 'idempotency-key': key }),
      ...(body && { 'content-type': 'application/json' }),
    };
    return send(url, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) });
  }

  /** All items of a list, page after page. */
  async function* list<R extends PagedRoute>(route: R, input: CallInput<R> = {}): AsyncGenerator<AnswerOf<R>, void> {
    let cursor: string | null = null;
    do {
      const query: Record<string, Value> = { limit: 100, ...input.query, ...(cursor && { cursor }) };
      const page = (await call(route, { ...input, query })) as Page<AnswerOf<R>>;
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  return { call, list };
}

type Sent = CallInput & { key: string | null };

/** What the server asks for, or a second that doubles, in milliseconds. */
function pauseAfter(response: Response | null, attempt: number): number {
  const seconds = Number(response?.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : 1000 * 2 ** attempt;
}
