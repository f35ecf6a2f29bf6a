import { Writable } from 'node:stream';
import type { AppLoadContext, EntryContext, LoaderFunctionArgs } from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { renderToPipeableStream } from 'react-dom/server';
import { NonceProvider } from './lib/nonce';
import { StructuredDataProvider } from './lib/structured-data';
import { textsForPage } from './lib/texts.server';
import { TextSourceProvider, UsedTextsProvider } from './lib/translation';

const RENDER_TIMEOUT_MS = 10_000;
/**
 * Remix keeps the data of each page until this timeout for values that arrive late. No loader returns any, so a short
 * timeout frees the memory of finished pages.
 */
export const streamTimeout = 250;

/**
 * Renders a page in one piece. Its data is complete before rendering starts, so streaming would save no time, and an
 * error in the middle of a stream could not change the status any more.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, language, log, structuredData }: AppLoadContext,
): Promise<Response> {
  const texts = textsForPage(language);
  const page = (
    <NonceProvider value={nonce}>
      <TextSourceProvider value={texts}>
        <UsedTextsProvider value={texts.usedTexts}>
          <StructuredDataProvider value={structuredData.json}>
            <RemixServer context={remixContext} url={request.url} nonce={nonce} />
          </StructuredDataProvider>
        </UsedTextsProvider>
      </TextSourceProvider>
    </NonceProvider>
  );
  headers.set('content-type', 'text/html; charset=utf-8');
  headers.set('content-language', texts.language);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let hasFailed = false;
    const body = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        clearTimeout(timeout);
        resolve(new Response(Buffer.concat(chunks), { headers, status: hasFailed ? 500 : status }));
        done();
      },
    });
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      onAllReady: () => pipe(body),
      onShellError(error) {
        clearTimeout(timeout);
        reject(error);
      },
      onError(error) {
        hasFailed = true;
        if (!request.signal.aborted) log.error({ err: error }, 'page render failed');
      },
    });
    // a timer that outlives its page would keep the whole request in memory
    const timeout = setTimeout(abort, RENDER_TIMEOUT_MS);
    timeout.unref();
  });
}

/**
 * Logs what a loader or an action throws. Without this, Remix prints the raw error, with the parameters of SQL
 * statements. Procedures have logged their own failures, and error responses are answers.
 */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs): void {
  const isLogged = isRouteErrorResponse(error) || (error instanceof Error && error.name === 'TRPCError');
  if (!isLogged && !request.signal.aborted) context.log.error({ err: error }, 'page failed');
}
