import { EXPORT_LIMITS } from '../../../limits/accounts';

/** A stored object, or text that is read when the file's turn comes. */
export type DataFile = { name: string; key: string } | { name: string; rows(): AsyncGenerator<string, void> };

export function json(name: string, read: () => Promise<object[]>): DataFile {
  return {
    name,
    async *rows() {
      yield* jsonRows(await read());
    },
  };
}

/** A JSON array, one row at a time. */
export async function* jsonRows(rows: Iterable<object> | AsyncIterable<object>): AsyncGenerator<string, void> {
  let before = '[\n';
  for await (const row of rows) {
    yield before + JSON.stringify(row, null, 2);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** All rows, read part by part. */
export async function* inPages<R>(
  read: (after: number) => Promise<R[]>,
  idOf: (row: R) => number,
): AsyncGenerator<R, void> {
  for (let after = 0; ; ) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_LIMITS.page) return;
    after = idOf(last);
  }
}
