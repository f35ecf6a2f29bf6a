import type { Language } from '~/locales/languages';
import { translate } from '../messages';

/** Text of forms; files go where an upload address says. */
export const LARGEST_BODY = 1_000_000;

/** An answer that ends the call before any procedure: thrown, and sent as it is. */
export function refusal(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/**
 * The fields of a body: JSON, a form, or the text fields of a multipart form; the last of a name counts.
 * @throws Response 400 for what can't be read, 413, 415
 */
export async function readFields(request: Request, language: Language): Promise<Iterable<[string, unknown]>> {
  const bytes = await readBytes(request, language);
  if (bytes.length === 0) return [];
  const contentType = request.headers.get('content-type') ?? '';
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return jsonFields(bytes, language);
  if (mediaType === 'application/x-www-form-urlencoded') return new URLSearchParams(new TextDecoder().decode(bytes));
  if (mediaType === 'multipart/form-data') return multipartFields(bytes, contentType, language);
  throw refusal(415, { detail: translate(language, 'errors:rest.unsupported_media_type', { type: mediaType }) });
}

/** Counts while it reads, since a client may not say how much it sends. */
async function readBytes(request: Request, language: Language): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = Number(request.headers.get('content-length') ?? 0);
  if (request.body && size <= LARGEST_BODY) {
    size = 0;
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > LARGEST_BODY) break;
      chunks.push(chunk);
    }
  }
  if (size > LARGEST_BODY) throw refusal(413, { detail: translate(language, 'errors:rest.body_too_large') });
  return new Uint8Array(Buffer.concat(chunks));
}

function jsonFields(bytes: Uint8Array, language: Language): [string, unknown][] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refusal(400, { detail: `JSON parse error - ${reason}` });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw refusal(400, { non_field_errors: [translate(language, 'errors:rest.not_an_object')] });
}

async function multipartFields(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  language: Language,
): Promise<Iterable<[string, unknown]>> {
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw refusal(400, { detail: translate(language, 'errors:rest.multipart_parse_error') });
  }
}
