import { z } from 'zod';

/** A place in a sorted list: the value by which it is sorted, and the id for equal values. */
export type Place = { key: string; id: number };

/** As Postgres writes a time of the years that it can compare. */
const WRITTEN_TIME = /^([1-9]\d{3}-\d\d-\d\d) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?\+00$/;

/** Whether Postgres reads it as a time: the thirtieth of February would be an error. */
function isWrittenTime(key: string): boolean {
  const day = WRITTEN_TIME.exec(key)?.[1];
  return z.iso.date().safeParse(day).success;
}

export const cursorOf = ({ key, id }: Place): string => Buffer.from(JSON.stringify([key, id])).toString('base64url');

/** Whether the places of a list in this order are times. */
export const isByTime = (sort: string): boolean => sort === 'newest' || sort === 'oldest';

/** Null for anything else, which then means the start of the list. `isTime`: the list is sorted by a time. */
export function readCursor(cursor: string | undefined, { isTime }: { isTime: boolean }): Place | null {
  if (cursor === undefined) return null;
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof key !== 'string' || !Number.isSafeInteger(id)) return null;
    const isValid = isTime ? isWrittenTime(key) : !key.includes('\0') && key.isWellFormed();
    return isValid ? { key, id: id as number } : null;
  } catch {
    return null;
  }
}
