import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { and, eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { contacts } from '~/db/schema/audience';
import { creatorBackups } from '~/db/schema/creator-backup';
import { announcements } from '~/db/schema/episode-parts';
import { outbox } from '~/db/schema/notifications';
import { members } from '~/db/schema/team';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { buildCreatorBackup } from '~/server/domain/creator-backup/build-backup';
import { eraseCreatorBackups, sweepCreatorBackups } from '~/server/domain/creator-backup/sweep-backups';
import { creatorBackupsDoor } from '~/server/doors/files/creator-backups';
import { CREATOR_BACKUP_LIMITS } from '~/server/limits/creator-backup';
import { buildCreatorBackup as buildCreatorBackupJob } from '~/server/queue/jobs/creator-backup';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { runJobs } from '../../support/run-jobs';
import { unzip } from '../../support/zip';

const { runtime, clock, make, lucia, tom, checkNewAudio } = await cast();
const { db } = runtime;
const { storage } = runtime.ports;
const ctx = systemCtx(runtime, 'archives.build');

const door = creatorBackupsDoor(runtime, 0);
const server = http.createServer((req, res) => void door(req, res)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => void server.close());

const step = () =>
  runJobs(runtime, buildCreatorBackupJob.name, ({ archiveId, step }, jobCtx) =>
    buildCreatorBackup(jobCtx, { backupId: archiveId, step }),
  );
async function buildAll(): Promise<void> {
  while ((await step()) > 0);
}
const download = (id: string, person?: { token: string }, headers: Record<string, string> = {}) =>
  fetch(`${origin}/archives/${id}.zip`, {
    redirect: 'manual',
    headers: { ...headers, ...(person ? { cookie: `token=${person.token}` } : {}) },
  });

test('an owner gets an archive that other tools can read, with the checksum of every file', async () => {
  const creator = await make.creator({ name: 'Lucía' });
  const show = await creator.api.products.create(await make.productInput(creator));
  const episode = await make.draft(creator, show, { name: 'Primera ola' });
  await checkNewAudio();
  const contact = { creatorId: creator.creatorId, source: 'form', status: 'active', language: 'en' } as const;
  await db.insert(contacts).values({ ...contact, email: 'fan@mail.example' });

  const { id, state } = await creator.api.archives.request();
  expect(state).toBe('running');
  await expect(creator.api.archives.request()).toFailWith('archive.running');
  await buildAll();
  const view = await creator.api.archives.latest();
  expect(view).toMatchObject({ id, state: 'ready', expiresAt: later(clock.now, CREATOR_BACKUP_LIMITS.lifetime) });
  expect(new URL(view!.url!).pathname).toBe(`/archives/${id}.zip`);

  const response = await download(id, creator);
  expect(response.headers.get('content-disposition')).toMatch(/filename="altavoz-.+-2026-03-02\.zip"/);
  const bytes = Buffer.from(await response.arrayBuffer());
  const files = unzip(bytes);
  const manifest = JSON.parse(files.get('manifest.json')!.toString());
  expect(manifest).toMatchObject({ format: 'altavoz-creator', version: 1, archive: id, missing: [] });
  const names = manifest.entries.map(({ name }: { name: string }) => name);
  expect([...names, 'manifest.json']).toEqual([...files.keys()]);
  for (const { name, sha256 } of manifest.entries)
    expect(createHash('sha256').update(files.get(name)!).digest('hex'), name).toBe(sha256);
  const audio = `shows/${show.id}-${show.slug}/${episode.id}-${episode.slug}.mp3`;
  expect(names).toEqual(expect.arrayContaining([audio, `feeds/${show.id}-${show.slug}.xml`, 'sheets/episodes.csv']));
  expect(JSON.parse(files.get('data/contacts.json')!.toString())).toMatchObject([{ email: 'fan@mail.example' }]);
  expect(files.get('sheets/contacts.csv')!.toString()).toContain('fan@mail.example');
  expect([...files.values()].map(String).join()).not.toContain('$argon2');
  await assertReadable(bytes);
});

/** Reads with an independent zip reader. */
async function assertReadable(bytes: Buffer): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'archive-'));
  const file = path.join(folder, 'archive.zip');
  await fs.writeFile(file, bytes);
  execFileSync('python3', ['-c', `import zipfile; assert zipfile.ZipFile('${file}').testzip() is None`]);
  await fs.rm(folder, { recursive: true });
}

test('only the owner gets it, and no member of the team does', async () => {
  const owner = await make.creator();
  const { id } = await owner.api.archives.request();
  await buildAll();
  const editor = await make.person();
  await db.insert(members).values({ creatorId: owner.creatorId, userId: editor.id, role: 'editor' });

  expect((await download(id, owner)).status).toBe(200);
  for (const person of [editor, lucia, tom]) expect((await download(id, person)).status).toBe(410);
  const visitor = await download(id);
  expect(visitor.status).toBe(303);
  expect(visitor.headers.get('location')).toBe('/leaving');
  expect((await fetch(`${origin}/archives/${id}.zip`, { method: 'DELETE' })).status).toBe(405);
  const [mail, ...others] = await db
    .select()
    .from(outbox)
    .where(eq(outbox.topic, 'archive_ready'))
    .orderBy(outbox.createdAt);
  expect([mail?.to, ...others.map(({ to }) => to)]).toContain(owner.email);
});

test('an archive tells nothing that its creator does not see', async () => {
  const owner = await make.creator();
  const paid = await make.product(owner, { priceMinor: 500 });
  const free = await make.product(owner, { name: 'Otro' });
  const named = (name: string) => make.person({ name, email: `${name}.private@mail.example` });
  const [fan, listener, invited] = [await named('fan'), await named('listener'), await named('invited')];
  await db.update(users).set({ name: 'Secret name', birthDate: '1990-01-02' }).where(eq(users.id, invited.id));
  const grant = (person: { id: number }, productId: number, source: 'follow' | 'gift') =>
    db.insert(grants).values({ userId: person.id, productId, source });
  await grant(fan, paid.id, 'follow');
  await grant(listener, free.id, 'follow');
  await grant(invited, paid.id, 'gift');
  const [episode] = await make.episodes(paid, 1);
  await db.insert(announcements).values({ userId: fan.id, episodeId: episode!.id });

  const { id } = await owner.api.archives.request();
  await buildAll();
  const files = unzip(Buffer.from(await (await download(id, owner)).arrayBuffer()));

  const people = JSON.parse(files.get('data/people.json')!.toString()) as { email: string; name: string }[];
  expect(people.map(({ email, name }) => [email, name])).toEqual([
    [listener.email, 'listener'],
    [invited.email, 'invited.private'],
  ]);
  const all = [...files.values()].map(String).join();
  for (const hidden of [fan.email, 'Secret name', '1990-01-02']) expect(all).not.toContain(hidden);
  expect(files.get('sheets/subscribers.csv')!.toString()).toContain(`${invited.email},invited.private`);
});

test('a broken download continues with a range', async () => {
  const owner = await make.creator();
  const { id } = await owner.api.archives.request();
  await buildAll();
  const whole = Buffer.from(await (await download(id, owner)).arrayBuffer());

  const rest = await download(id, owner, { range: 'bytes=100-' });

  expect(rest.status).toBe(206);
  expect(Buffer.from(await rest.arrayBuffer())).toEqual(whole.subarray(100));
});

test('a step that runs twice counts once, and a lost job is replaced', async () => {
  const owner = await make.creator();
  const { id } = await owner.api.archives.request();
  const show = await make.product(owner);
  await storage.put('audio/1/1/twice.mp3', Buffer.from('sound'), { contentType: 'audio/mpeg' });
  await make.episodes(show, 1, () => ({ audioKey: 'audio/1/1/twice.mp3' }));

  for (const number of [0, 1]) {
    const run = () => buildCreatorBackup(ctx, { backupId: id, step: number });
    const results = await Promise.allSettled([run(), run()]);
    await run();
    const [row] = await db.select().from(creatorBackups).where(eq(creatorBackups.id, id));
    expect(results.map(({ status }) => status)).toContain('fulfilled');
    expect(row).toMatchObject({ step: number + 1 });
    expect(row!.parts).toHaveLength(number + 1);
    expect(await storage.list(`archives/${id}/`, 10)).toHaveLength(number + 1);
  }

  await runJobs(runtime, buildCreatorBackupJob.name, async () => {});
  await sweepCreatorBackups({ ...ctx, now: () => later(clock.now, CREATOR_BACKUP_LIMITS.overdue + MINUTES(1)) });
  await buildAll();
  expect(await owner.api.archives.latest()).toMatchObject({ state: 'ready' });
});

test('an archive expires, and nothing of it is left', async () => {
  const owner = await make.creator();
  const { id } = await owner.api.archives.request();
  await buildAll();
  await sweepCreatorBackups({ ...ctx, now: () => later(clock.now, CREATOR_BACKUP_LIMITS.lifetime) });

  expect(await storage.list(`archives/${id}/`, 10)).toEqual([]);
  const before = clock.now;
  clock.now = later(before, CREATOR_BACKUP_LIMITS.lifetime);
  expect((await download(id, owner)).status).toBe(410);
  expect(await owner.api.archives.latest()).toMatchObject({ state: 'expired', url: null });
  await sweepCreatorBackups({ ...ctx, now: () => later(clock.now, CREATOR_BACKUP_LIMITS.kept + DAYS(1)) });
  expect(await owner.api.archives.latest()).toBeNull();
  clock.now = before;
});

test('an archive that takes too long is given up, and another can be asked for', async () => {
  const owner = await make.creator();
  const { id } = await owner.api.archives.request();
  await step();
  await sweepCreatorBackups({ ...ctx, now: () => later(clock.now, CREATOR_BACKUP_LIMITS.patience + MINUTES(1)) });
  await buildAll();

  expect(await owner.api.archives.latest()).toMatchObject({ state: 'failed', url: null });
  expect(await storage.list(`archives/${id}/`, 10)).toEqual([]);
  await expect(owner.api.archives.request()).resolves.toMatchObject({ state: 'running' });
  await buildAll();
  await owner.api.archives.request();
  await buildAll();
  await expect(owner.api.archives.request()).toFailWith('archive.day_limit');
});

test('a deleted account leaves no archive', async () => {
  const owner = await make.creator();
  const { id } = await owner.api.archives.request();
  await step();
  await eraseCreatorBackups(ctx, { userId: owner.id });
  await buildAll();

  expect(
    await db
      .select()
      .from(creatorBackups)
      .where(and(eq(creatorBackups.id, id)))
      .orderBy(creatorBackups.id),
  ).toEqual([]);
  expect(await storage.list(`archives/${id}/`, 10)).toEqual([]);
});
