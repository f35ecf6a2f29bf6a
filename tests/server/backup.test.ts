import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { editions, newsletters } from '~/db/schema/newsletter';
import { contactMessages } from '~/db/schema/support';
import { withBackupLock } from '~/server/backup/hold';
import { listBackups } from '~/server/backup/manifest';
import { openTarget } from '~/server/backup/target';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { frameIndexKey } from '~/server/domain/media/rules';
import { systemCtx } from '~/server/runtime/runtime';
import { emptyInstallation, filledInstallation, folder } from '../support/backed-up';
import { compareInstallations } from '../support/compared-installations';

const { runtime, env, lucia, url, storage, backUp } = await filledInstallation();
// a table that needs more than one packet
const message = {
  threadId: randomUUID(),
  name: 'Ana',
  email: 'ana@mail.example',
  subject: 'S',
  language: 'en',
} as const;
await runtime.db
  .insert(contactMessages)
  .values(Array.from({ length: 200 }, (_, n) => ({ ...message, text: `${n} ${'x'.repeat(1000)}` })));

test('a restored installation has every row, sequence and object, and can be used', async () => {
  const [to, other] = [await folder(), await emptyInstallation()];

  const saved = await backUp(to);
  const restored = await other.restore(to);

  expect(saved).toMatchObject({ code: 0, text: expect.stringContaining('is finished') });
  expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('Restored') });
  const compared = await compareInstallations({ url, storage }, other);
  expect(compared).toMatchObject({ differences: [] });
  expect(compared.tables).toBeGreaterThan(120);
  expect(compared.objects).toBeGreaterThan(15);
  // only their creator may read them
  const files = await fs.readdir(to, { recursive: true, withFileTypes: true });
  const modes = await Promise.all(
    files.map(async (file) => (await fs.stat(path.join(file.parentPath, file.name))).mode),
  );
  expect(modes.filter((mode) => (mode & 0o077) !== 0)).toEqual([]);
  expect(await other.restore(to)).toMatchObject({ code: 1, text: expect.stringContaining('not empty') });
});

test('the logo of a newsletter and the pictures of editions are in a backup, and a logo that is gone is named', async () => {
  const [to, other] = [await folder(), await emptyInstallation()];
  const picture = `images/${lucia.creatorId}/${'ab'.repeat(32)}/edition.png`;
  const logo = `images/${lucia.creatorId}/${'cd'.repeat(32)}`;
  await storage.put(picture, Buffer.from('picture'), { contentType: 'image/png' });
  const content = `<img src="/media/${picture}" alt="">`;
  await runtime.db.update(editions).set({ content }).where(eq(editions.creatorId, lucia.creatorId));
  await runtime.db.update(newsletters).set({ logoKey: logo }).where(eq(newsletters.creatorId, lucia.creatorId));

  const saved = await backUp(to);
  await other.restore(to);

  expect(saved).toMatchObject({ code: 0, text: expect.stringContaining(`MISSING in the storage: ${logo}/full.jpg`) });
  expect((await other.storage.head(picture))?.bytes).toBe('picture'.length);
  const listed = await referencesIn(to);
  expect(listed).toContain(`${picture}\tf`);
  await storage.remove(picture);
  await runtime.db.update(newsletters).set({ logoKey: null }).where(eq(newsletters.creatorId, lucia.creatorId));
});

async function referencesIn(to: string): Promise<string[]> {
  const files = await fs.readdir(to, { recursive: true, withFileTypes: true });
  const file = files.find(({ name }) => name === 'references.gz')!;
  return gunzipSync(await fs.readFile(path.join(file.parentPath, file.name)))
    .toString()
    .split('\n');
}

test('a second backup copies only new objects, and old backups and their objects are deleted on request', async () => {
  const to = await folder();
  await backUp(to);
  await storage.put('audio/1/1/new.mp3', Buffer.from('new'), { contentType: 'audio/mpeg' });
  await aSecondLater();

  const second = await backUp(to);
  await storage.remove('audio/1/1/new.mp3');
  await aSecondLater();
  const third = await backUp(to, '--keep', '1');

  expect(second.text).toContain('new: 1, 3 bytes');
  expect(third.text).toContain('Removed 2 older backups and 1 objects');
  const target = await openTarget(to, env);
  expect(await listBackups(target)).toMatchObject({ finished: [expect.any(String)], unfinished: [] });
});

test('a restore from a folder that does not exist says so, and does not create it', async () => {
  const missing = path.join(await folder(), 'nowhere');
  const { restore } = await emptyInstallation();

  expect(await restore(missing)).toEqual({ code: 1, text: `There is no folder ${missing}.\n` });
  await expect(fs.stat(missing)).rejects.toThrow('ENOENT');
});

/** The names of backups are times in whole seconds. */
const aSecondLater = () => sleep(1010);

test('a restore names its database, and writes to no other one than it was asked for', async () => {
  const to = await folder();
  await backUp(to);
  const live = new URL(url);
  live.searchParams.set('application_name', 'live');
  const drill = await emptyInstallation({ DATABASE_DIRECT_URL: live.href });

  expect(await drill.restore(to, '--force')).toMatchObject({ code: 1, text: expect.stringContaining('set both') });

  const other = await emptyInstallation();
  const { pathname, host } = new URL(other.url);
  expect((await other.restore(to)).text).toContain(`Into the database ${pathname.slice(1)} at ${host}.`);
});

test('damaged, unfinished and newer backups are rejected before anything is written', async () => {
  const [to, other] = [await folder(), await emptyInstallation()];
  await backUp(to);
  const files = (await fs.readdir(to, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  const at = (name: RegExp) => {
    const file = files.find((each) => name.test(path.join(each.parentPath, each.name)))!;
    return path.join(file.parentPath, file.name);
  };

  for (const name of [/public\.users\.gz$/, /media\.gz$/, /objects\/../, /manifest\.json$/]) {
    const content = await fs.readFile(at(name));
    const damaged = Buffer.from(content);
    damaged[damaged.length >> 1]! ^= 1;
    await fs.writeFile(at(name), damaged);
    expect(await other.restore(to), String(name)).toMatchObject({ code: 1, text: expect.stringContaining('damaged') });
    await fs.writeFile(at(name), content);
  }
  const manifest = at(/manifest\.json$/);
  await changeManifest(manifest, (content) => ({ ...content, lastMigration: 9e12 }));
  expect(await other.restore(to)).toMatchObject({ code: 1, text: expect.stringContaining('later version') });
  await changeManifest(manifest, (content) => ({ ...content, lastMigration: 1 }));
  expect(await other.restore(to)).toMatchObject({ code: 1, text: expect.stringContaining('older version') });
  await fs.rm(manifest);
  expect(await other.restore(to)).toMatchObject({ code: 1, text: expect.stringContaining('no finished backup') });

  expect(await compareInstallations(other, other)).toMatchObject({ tables: 0, objects: 0 });
});

async function changeManifest(file: string, change: (content: object) => object): Promise<void> {
  const { content } = JSON.parse(await fs.readFile(file, 'utf8'));
  const changed = JSON.stringify(change(JSON.parse(content)));
  const sha256 = createHash('sha256').update(changed).digest('hex');
  await fs.writeFile(file, JSON.stringify({ sha256, content: changed }));
}

test('no object is deleted while a backup runs, and no second backup starts', async () => {
  const ctx = systemCtx(runtime, 'media.remove-objects');
  const key = 'audio/1/1/unused.mp3';
  await storage.put(key, Buffer.from('unused'), { contentType: 'audio/mpeg' });

  const other = await withBackupLock(url, async () => {
    await removeUnused(ctx, { keys: [key], folders: [] });
    return backUp(await folder());
  });

  expect(other).toMatchObject({ code: 1, text: expect.stringContaining('Another backup') });
  expect(await storage.head(key)).not.toBeNull();
  const jobs = await runtime.db.execute(
    sql`select data from pgboss.job where name = 'media.remove-objects' order by created_on, id`,
  );
  expect(jobs).toContainEqual({ data: { keys: [key, frameIndexKey(key)] } });
  await removeUnused(ctx, { keys: [key], folders: [] });
  expect(await storage.head(key)).toBeNull();
});
