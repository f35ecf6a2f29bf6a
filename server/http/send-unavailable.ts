import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { translate } from '../base/messages';
import { RETRY_AFTER_SECONDS } from '../base/problems';

/** Answers 503 on Node's response: the database is away, and the client should retry. */
export function sendUnavailable(res: ServerResponse, headers: OutgoingHttpHeaders = {}): void {
  const text = translate(DEFAULT_LANGUAGE, 'errors:common.unavailable', { seconds: RETRY_AFTER_SECONDS });
  res.writeHead(503, {
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': String(RETRY_AFTER_SECONDS),
  });
  res.end(`${text}\n`);
}
