import { pick } from '../../base/fields';
import type { Page } from '../../base/paging';
import { API_LIMITS } from '../../limits/api';
import { cursorInvalid, fieldsInvalid, limitInvalid } from './errors';
import type { V1Call } from './v1-call';

export type Place = { page: number; pageSize: number };

/** The place in a list that `limit` and `cursor` name. @throws api.limit_invalid, api.cursor_invalid */
export function readPlace(query: URLSearchParams): Place {
  const pageSize = readLimit(query.get('limit'));
  const cursor = query.get('cursor');
  if (cursor === null) return { page: 1, pageSize };
  const [, page = '', size = ''] = /^(\d{1,6})\.(\d{1,3})$/.exec(decode(cursor)) ?? [];
  const place = { page: Number(page), pageSize: Number(size) };
  // a cursor belongs to the length of its pages
  const isValid = place.page > 1 && place.page <= API_LIMITS.lastPage && encode(place) === cursor;
  if (!isValid || (query.has('limit') && place.pageSize !== pageSize)) throw cursorInvalid();
  return place;
}

/**
 * The part of a list that is walked through with the procedure's own cursors.
 * @throws api.limit_invalid, api.cursor_invalid
 */
export function readWalk(query: URLSearchParams, isCursor: V1Call['isCursor']): { limit: number; after?: string } {
  const after = query.get('cursor') ?? undefined;
  // a client that got the first page for a wrong cursor would begin again and again
  if (after !== undefined && isCursor?.(after, query) === false) throw cursorInvalid();
  return { limit: readLimit(query.get('limit')), after };
}

/** The cursor of the page after this one; null after the last one. */
export function nextCursor({ page, pageSize, total }: Page<unknown>): string | null {
  return page * pageSize < total && page < API_LIMITS.lastPage ? encode({ page: page + 1, pageSize }) : null;
}

/** The fields of the answer that the client has chosen; null for all. @throws api.fields_invalid */
export function readChosen(query: URLSearchParams): string[] | null {
  const text = query.get('fields');
  if (text === null) return null;
  const names = text.split(',').map((name) => name.trim());
  if (names.length > API_LIMITS.fields || names.some((name) => !/^[a-z0-9_]{1,60}$/.test(name))) throw fieldsInvalid();
  return names;
}

/** Only the chosen fields of an object. */
export function choose<Value extends object>(value: Value, names: string[] | null): object {
  return names ? pick(value, names as (keyof Value)[]) : value;
}

function readLimit(text: string | null): number {
  const { usual, most } = API_LIMITS.pageSize;
  if (text === null) return usual;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > most) throw limitInvalid({ max: most });
  return limit;
}

const encode = ({ page, pageSize }: Place): string => Buffer.from(`${page}.${pageSize}`).toString('base64url');
const decode = (text: string): string => Buffer.from(text.slice(0, 100), 'base64url').toString('latin1');
