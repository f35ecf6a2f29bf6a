import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createDb } from '~/db/client';
import { parseArray } from '~/db/driver/array-types';
import { openPool } from '~/db/driver/pool';
import { testDatabase } from '../support/db';

const { url } = await testDatabase();

/** A server that lets clients in, and resets their connections when they send a statement. */
async function resettingServer(): Promise<string> {
  const authenticated = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0]);
  const ready = Buffer.from([90, 0, 0, 0, 5, 73]);
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(Buffer.concat([authenticated, ready]));
      socket.once('data', () => socket.resetAndDestroy());
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `postgres://ada:secret@127.0.0.1:${(server.address() as net.AddressInfo).port}/altavoz`;
}

// the driver asks for the types of arrays itself, and an error of that statement would fail the test run
test('a pool whose first connection is lost fails nothing but the statement', async () => {
  const pool = openPool(await resettingServer());
  onTestFinished(() => pool.close());

  await expect(pool.client`select 1`).rejects.toThrow();
  await sleep(50);
});

test.each([
  ['{}', []],
  ['{1,NULL,3}', ['1', null, '3']],
  ['{"NULL",""}', ['NULL', '']],
  [String.raw`{"a \"b\"","c\\d","e,f","{g}"}`, ['a "b"', String.raw`c\d`, 'e,f', '{g}']],
  ['{"two\nlines",ñ}', ['two\nlines', 'ñ']],
  [
    '{{1,2},{3,4}}',
    [
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  ['[0:1]={5,6}', ['5', '6']],
])('the array %s is read', (text, items) => {
  expect(parseArray(text, (item) => item)).toEqual(items);
});

test.each([
  ['int2', [1, -2]],
  ['int4', [1, null]],
  ['int8', ['9007199254740993']],
  ['float8', [1.5, null]],
  ['numeric', ['0.10']],
  ['text', ['a "b"', String.raw`c\d`, '', 'NULL', null, 'e,f', '{g}', "it's", ' ', '😀', 'a\nb']],
  ['varchar', ['x']],
  ['uuid', ['7d444840-9dc0-11d1-b245-5ffdce74fad2']],
  ['jsonb', [{ a: [1, 'x'] }, null]],
  ['date', ['2026-03-01']],
  ['timestamptz', ['2026-03-01 10:00:00+00']],
  ['text', []],
])('an array of %s is written and read as it is', async (type, items) => {
  const db = createDb(url, { max: 1 });
  onTestFinished(() => db.close());
  const given = items.map((item) => (item instanceof Object ? JSON.stringify(item) : item));

  const [row] = await db.client.unsafe(`select $1::${type}[] as items, cardinality($1::${type}[]) as count`, [given]);

  expect(row).toEqual({ items, count: items.length });
});
