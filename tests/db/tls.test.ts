import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { createDb } from '~/db/client';
import { databaseSettings } from '~/server/env/database';
import { createBoss } from '~/server/queue/queue';
import { emptyDatabase } from '../support/db';
import { makeCertificates, tlsDatabase } from '../support/tls-database';
import { toolPath } from '../support/tools';

const { url } = await emptyDatabase();
const openssl = toolPath('openssl');
const folder = mkdtempSync(path.join(tmpdir(), 'altavoz-tls-'));
const files = openssl ? makeCertificates(openssl, folder) : null;
const database = files && (await tlsDatabase(url, files));
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true });
});

/** The address that each driver gets from the settings. */
function addressWith(query: string, ca?: 'ca' | 'otherCa', host = '127.0.0.1'): string {
  const address = new URL(url);
  Object.assign(address, { hostname: host, port: String(database!.port), search: query });
  const file = ca && { DATABASE_CA_FILE: files![ca] };
  return databaseSettings({ DATABASE_URL: address.href, ...file } as never).url!;
}

/** Pages and mutations use this driver. */
async function throughPool(address: string): Promise<unknown> {
  const { db, close: end } = createDb(address, { max: 1 });
  try {
    const [row] = await db.execute<{ found: number }>(sql`select 1 as found`);
    return row!.found;
  } finally {
    await end();
  }
}
/** Jobs use this one. */
async function throughQueue(address: string): Promise<unknown> {
  const boss = createBoss(address, { runsJobs: false, onError: () => {} });
  const db = boss.getDb() as { open(): Promise<void>; close(): Promise<void> } & ReturnType<typeof boss.getDb>;
  try {
    await db.open();
    return (await db.executeSql('select 1 as found', [])).rows[0].found;
  } finally {
    await db.close();
  }
}
const DRIVERS = { 'the pool': throughPool, 'the queue': throughQueue };

const TRUSTED: [string, () => string][] = [
  ['the CA that has signed its certificate', () => addressWith('', 'ca')],
  ['verify-full and the CA', () => addressWith('?sslmode=verify-full', 'ca')],
  ['verify-ca, under another name', () => addressWith('?sslmode=verify-ca', 'ca', 'localhost')],
  ['require, which asks for no CA', () => addressWith('?sslmode=require')],
];
const NOT_TRUSTED: [string, () => string][] = [
  ['another CA', () => addressWith('', 'otherCa')],
  ['verify-full without the CA', () => addressWith('?sslmode=verify-full')],
  ['verify-full under another name', () => addressWith('?sslmode=verify-full', 'ca', 'localhost')],
  ['require with another CA', () => addressWith('?sslmode=require', 'otherCa')],
  ['no TLS', () => addressWith('?sslmode=disable', 'ca')],
];

const testIfMade = test.skipIf(!files);
for (const [driver, through] of Object.entries(DRIVERS)) {
  testIfMade.each(TRUSTED)(`${driver} connects to a database with TLS, with %s`, async (_, address) => {
    expect(await through(address())).toBe(1);
  });

  testIfMade.each(NOT_TRUSTED)(`${driver} refuses it with %s`, async (_, address) => {
    await expect(through(address())).rejects.toThrow();
  });
}
