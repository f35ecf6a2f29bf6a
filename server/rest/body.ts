import type { Language } from '~/locales/languages';
import { translate } from '../base/messages';
import { readBody } from '../http/request-body';
import { BODY_LIMITS } from '../limits/http';

/** A response that is thrown to end the call before its procedure. */
export function errorResponse(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/**
 * The fields of a body: JSON, a form, or a multipart form. The last value of a repeated field wins.
 * @throws Response 400 for a malformed body, 413, 415
 */
export async function readFields(request: Request, language: Language): Promise<Iterable<[string, unknown]>> {
  const bytes = await readBytes(request, language);
  if (bytes.length === 0) return [];
  const contentType = request.headers.get('content-type') ?? '';
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return jsonFields(bytes, language);
  if (mediaType === 'application/x-www-form-urlencoded') return new URLSearchParams(new TextDecoder().decode(bytes));
  if (mediaType === 'multipart/form-data') return multipartFields(bytes, contentType, language);
  throw errorResponse(415, { detail: translate(language, 'errors:rest.unsupported_media_type', { type: mediaType }) });
}

async function readBytes(request: Request, language: Language): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBody(request, BODY_LIMITS.call).catch(() => {
    throw errorResponse(400, { detail: translate(language, 'errors:rest.multipart_parse_error') });
  });
  if (bytes) return bytes;
  throw errorResponse(413, { detail: translate(language, 'errors:rest.body_too_large') }, { connection: 'close' });
}

function jsonFields(bytes: Uint8Array, language: Language): [string, unknown][] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw errorResponse(400, { detail: `JSON parse error - ${reason}` });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw errorResponse(400, { non_field_errors: [translate(language, 'errors:rest.not_an_object')] });
}

async function multipartFields(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  language: Language,
): Promise<Iterable<[string, unknown]>> {
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw errorResponse(400, { detail: translate(language, 'errors:rest.multipart_parse_error') });
  }
}
