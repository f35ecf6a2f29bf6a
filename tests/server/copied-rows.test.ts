import { afterAll, expect, test } from 'vitest';
import { openPool } from '~/db/driver/pool';
import { copiedRows } from '~/server/backup/copied-rows';
import { writePart } from '~/server/backup/parts';
import { emptyDatabase } from '../support/db';

const { url } = await emptyDatabase();
const { client, close } = openPool(url, { max: 1 });
afterAll(close);

/** The driver stops reading at 16 KB. The end of the rows arrives in the same packet, or in a later one. */
const ROWS = [0, 1, 10, 15, 16, 17, 20, 30, 50, 64, 65, 100, 200, 500, 2000];

test.each(ROWS)('%d rows of 1 KB are copied, and the connection answers the next statement', async (rows) => {
  await client.begin(async (tx) => {
    let bytes = 0;
    for await (const piece of copiedRows(
      tx`copy (select repeat('x', 1023) from generate_series(1, ${tx.unsafe(`${rows}`)})) to stdout`,
    ))
      bytes += piece.length;
    expect(bytes).toBe(rows * 1024);
    expect(await tx`select 1 as found`).toEqual([{ found: 1 }]);
  });
});

test('a backup whose target fails ends with its error', async () => {
  const put = async (_: string, content: AsyncIterable<Buffer>) => {
    for await (const _piece of content) throw new Error('the disk is full');
  };
  const saving = client.begin((tx) =>
    writePart(
      { put } as never,
      'x.gz',
      copiedRows(tx`copy (select md5(i::text) || repeat('x', 991) from generate_series(1, 5000) i) to stdout`),
    ),
  );

  await expect(saving).rejects.toThrow('the disk is full');
});

test('so does it after a reader that gave up', async () => {
  await client.begin(async (tx) => {
    for await (const _ of copiedRows(tx`copy (select repeat('x', 1023) from generate_series(1, 5000)) to stdout`))
      break;
    expect(await tx`select 1 as found`).toEqual([{ found: 1 }]);
  });
});
