/** A place in a sorted list: the value by which it is sorted, and the id for equal values. */
export type Place = { key: string; id: number };

/** As Postgres writes a time. */
const WRITTEN_TIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?\+00$/;

export const cursorOf = ({ key, id }: Place): string => Buffer.from(JSON.stringify([key, id])).toString('base64url');

/** Null for anything else, which then means the start of the list. `isTime`: the list is sorted by a time. */
export function readCursor(cursor: string | undefined, { isTime }: { isTime: boolean }): Place | null {
  if (cursor === undefined) return null;
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof key !== 'string' || !Number.isSafeInteger(id)) return null;
    const isValid = isTime ? WRITTEN_TIME.test(key) : !key.includes('\0') && key.isWellFormed();
    return isValid ? { key, id: id as number } : null;
  } catch {
    return null;
  }
}
