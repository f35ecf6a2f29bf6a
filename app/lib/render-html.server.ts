import { Writable } from 'node:stream';
import type { ReactElement } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';

const RENDER_TIMEOUT_MS = 10_000;
const DOCTYPE = '<!DOCTYPE html>';
/** The marker that React writes for a boundary whose content failed or must wait. */
const INCOMPLETE = '<!--$!-->';

type RenderOptions = { nonce: string; onError: (error: unknown) => void };
type Rendered = { html: Buffer; hasFailed: boolean };

/**
 * Renders a complete page. Its data is complete before rendering starts, so nearly every page is rendered as one
 * string, which is faster than a stream, and correct: React's stream puts NUL characters into some long texts (decision
 * 0123). For other pages, the stream renders again: it reports errors below a Suspense boundary, and waits for
 * components that suspend.
 */
export async function renderHtml(page: ReactElement, options: RenderOptions): Promise<Rendered> {
  const html = renderAsString(page);
  return html === null || html.includes(INCOMPLETE) ? renderAsStream(page, options) : { html, hasFailed: false };
}

/** Null if a component above every Suspense boundary suspends or fails. The stream reports such failures. */
function renderAsString(page: ReactElement): Buffer | null {
  try {
    return Buffer.from(DOCTYPE + renderToString(page));
  } catch {
    return null;
  }
}

function renderAsStream(page: ReactElement, { nonce, onError }: RenderOptions): Promise<Rendered> {
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
        resolve({ html: Buffer.concat(chunks), hasFailed });
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
        onError(error);
      },
    });
    // a timer that outlives its page would keep the whole request in memory
    const timeout = setTimeout(abort, RENDER_TIMEOUT_MS);
    timeout.unref();
  });
}

/**
 * The element that passes the loader data to Remix in the browser. Remix's own component renders it in parts, each
 * below a Suspense boundary, for values that arrive late; no loader returns such values.
 */
export async function loaderDataScript(encoded: ReadableStream<Uint8Array>, nonce: string): Promise<string> {
  const json = JSON.stringify(await readText(encoded)).replace(/</g, '\\u003c');
  const controller = 'window.__remixContext.streamController';
  return `<script nonce="${nonce}">${controller}.enqueue(${json});${controller}.close();</script>`;
}

async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}
