/** A place in a sorted list: the value by which it is sorted, and the id for equal values. */
export type Place = { key: string; id: number };

export const cursorOf = ({ key, id }: Place): string => Buffer.from(JSON.stringify([key, id])).toString('base64url');

/** Null for anything else, which then means the start of the list. */
export function readCursor(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    return typeof key === 'string' && !key.includes('\0') && Number.isSafeInteger(id)
      ? { key, id: id as number }
      : null;
  } catch {
    return null;
  }
}
