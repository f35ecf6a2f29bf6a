import type { AppLoadContext, EntryContext, LoaderFunctionArgs } from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '~/app/lib/router';
import { CREATOR_PREVIEW_PATH } from '~/server/base/public-paths';
import firstScript from './entry.first?script';
import { FirstScriptProvider } from './lib/first-script';
import { inlineStyles, inlinesStyles } from './lib/inline-styles.server';
import { KeptRowsProvider } from './lib/kept-rows';
import { keptRows } from './lib/kept-rows.server';
import { putScriptsAside, startsAtOnce } from './lib/late-scripts.server';
import { NonceProvider } from './lib/nonce';
import { loaderDataScript, renderHtml } from './lib/render-html.server';
import { StructuredDataProvider } from './lib/structured-data';
import { textsForPage } from './lib/texts.server';
import { TextSourceProvider, UsedTextsProvider } from './lib/translation';

/**
 * Remix keeps each page's data until this timeout, for values that arrive late. No loader returns such values, so a
 * short timeout frees the memory of finished pages.
 */
export const streamTimeout = 25;

/**
 * Renders a page in one piece. Its data is complete before rendering starts, so streaming would save no time, and after
 * an error in the middle of a stream the status could no longer change.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...remixContext }: EntryContext,
  { nonce, language, log, structuredData, site }: AppLoadContext,
): Promise<Response> {
  const texts = textsForPage(language);
  const rows = keptRows();
  const element = (
    <NonceProvider value={nonce}>
      <TextSourceProvider value={texts}>
        <UsedTextsProvider value={texts.usedTexts}>
          <StructuredDataProvider value={structuredData.json}>
            <KeptRowsProvider value={rows.find}>
              <FirstScriptProvider value={firstScript}>
                <RemixServer context={remixContext} url={request.url} nonce={nonce} />
              </FirstScriptProvider>
            </KeptRowsProvider>
          </StructuredDataProvider>
        </UsedTextsProvider>
      </TextSourceProvider>
    </NonceProvider>
  );
  headers.set('content-type', 'text/html; charset=utf-8');
  headers.set('content-language', texts.language);
  const { html, hasFailed } = await renderHtml(element, {
    nonce,
    onError(error) {
      if (!request.signal.aborted) log.error({ err: error }, 'page render failed');
    },
  });
  if (!hasFailed) rows.keep(html);
  // the preview of a creator page runs no scripts, so it contains none
  const isPreview = new URL(request.url).pathname.endsWith(CREATOR_PREVIEW_PATH);
  const data = serverHandoffStream && !isPreview ? await loaderDataScript(serverHandoffStream, nonce) : '';
  const routeIds = remixContext.staticHandlerContext.matches.map(({ route }) => route.id);
  const styled = site.kind === 'app' && inlinesStyles(routeIds) ? inlineStyles(html, nonce) : html;
  const page = startsAtOnce(routeIds) ? styled : putScriptsAside(styled, nonce);
  return new Response(Buffer.concat([page, Buffer.from(data)]), { headers, status: hasFailed ? 500 : status });
}

/**
 * Logs errors that a loader or an action throws. Without this, Remix prints the raw error, including the parameters of
 * SQL statements. Procedures have already logged their own failures, and error responses are regular answers.
 */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs): void {
  const isLogged = isRouteErrorResponse(error) || (error instanceof Error && error.name === 'TRPCError');
  if (!isLogged && !request.signal.aborted) context.log.error({ err: error }, 'page failed');
}
