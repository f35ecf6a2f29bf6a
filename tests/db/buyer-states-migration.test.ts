import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { createDb } from '~/db/client';
import { runMigrations } from '~/db/migrate';
import { emptyDatabase } from '../support/db';
import { lockWaits } from '../support/lock-waits';

const FOLDER = 'db/migrations';
const SOURCES = ['grants', 'sales', 'subscriptions', 'gifts'];

/** All migrations before the one with this tag. */
async function migrationsBefore(tag: string): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-migrations-'));
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  await fs.cp(FOLDER, folder, { recursive: true });
  const file = path.join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await fs.readFile(file, 'utf8'));
  const at = journal.entries.findIndex((entry: { tag: string }) => entry.tag === tag);
  expect(at).toBeGreaterThan(0);
  await fs.writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, at) }));
  return folder;
}

test('while the states of buyers are computed, the former release writes nothing that decides them', async () => {
  const { url, db } = await emptyDatabase();
  await runMigrations(url, await migrationsBefore('0012_buyer_states'));
  const writers = SOURCES.map((table) => ({ table, opened: createDb(url, { max: 1 }) }));
  onTestFinished(() => Promise.all(writers.map(({ opened }) => opened.close())).then(() => {}));
  let migrating: Promise<void> | undefined;
  let writing: Promise<unknown>[] = [];

  await db.transaction(async (holder) => {
    // the migration waits for it in the middle of its work, with the table `holders` locked
    await holder.execute(sql`lock table users in row exclusive mode`);
    migrating = runMigrations(url, FOLDER);
    await lockWaits(db);
    writing = writers.map(async ({ table, opened }) =>
      opened.db.execute(sql.raw(`update ${table} set product_id = product_id where false`)),
    );
    await lockWaits(db, 1 + SOURCES.length);
  });

  await Promise.all([migrating, ...writing]);
});
