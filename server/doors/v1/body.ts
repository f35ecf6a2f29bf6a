import { readBody } from '../../http/request-body';
import { BODY_LIMITS } from '../../limits/http';
import { bodyNotJson, bodyTooLarge, mediaTypeUnsupported } from './errors';

/** The bytes of a body. @throws api.body_too_large; api.body_not_json if it does not arrive */
export async function readBytes(request: Request, max: number = BODY_LIMITS.call): Promise<Uint8Array> {
  const bytes = await readBody(request, max).catch(() => {
    throw bodyNotJson();
  });
  if (!bytes) throw bodyTooLarge({ max });
  return bytes;
}

/** The fields of a JSON object; none for an empty body. @throws api.media_type_unsupported, api.body_not_json */
export function fieldsOfBody(bytes: Uint8Array, contentType: string | null): [string, unknown][] {
  if (bytes.length === 0) return [];
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !type.endsWith('+json')) throw mediaTypeUnsupported();
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bodyNotJson();
  return Object.entries(value);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw bodyNotJson();
  }
}
