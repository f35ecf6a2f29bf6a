import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createDb } from '~/db/client';
import { runMigrations } from '~/db/migrate';
import { isEmptyDatabase } from '~/server/backup/load-database';
import { listBackups } from '~/server/backup/manifest';
import { runBackup } from '~/server/backup/run-backup';
import { runRestore } from '~/server/backup/run-restore';
import { openTarget } from '~/server/backup/target';
import { parseEnv } from '~/server/env/read';
import { emptyInstallation, filledInstallation, folder, printed, settingsOf } from '../support/backed-up';
import { bundledServer } from '../support/bundled-server';
import { compareInstallations } from '../support/compared-installations';
import { emptyDatabase } from '../support/db';
import { deepSeed } from '../support/deep';
import { folderUntil } from '../support/older-migrations';
import { startS3Stub } from '../support/s3-stub';

const { url, dataDir, storage, episodes, env } = await filledInstallation();
const { main, remove } = await bundledServer();
afterAll(remove);

const KILLS = 12;
let random = deepSeed();

function start(args: string[], settings: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [main, ...args], { env: { ...process.env, ...settings }, stdio: 'ignore' });
}

/** Kills, each at another moment of the run. */
async function runKilled(args: string[], settings: Record<string, string>, longestMs: number): Promise<void> {
  const child = start(args, settings);
  random = (random * 48_271) % 2_147_483_647;
  await sleep(500 + (random % longestMs));
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function run(args: string[], settings: Record<string, string>): Promise<number> {
  const [code] = await once(start(args, settings), 'exit');
  return code;
}

test('killed backups are never taken for finished ones, and a killed restore has changed nothing', async () => {
  const [to, other] = [await folder(), await emptyInstallation()];
  const [here, there] = [settingsOf(url, dataDir), settingsOf(other.url, other.dataDir)];
  const target = await openTarget(to, env);

  for (let kill = 0; kill < KILLS; kill += 1) {
    await runKilled(['--backup', '--to', to], here, 2500);
    const { finished } = await listBackups(target);
    if (finished.length > 0) expect((await other.restore(to, '--backup', 'none')).text).toContain(finished[0]);
  }
  await sleep(1010);
  expect(await run(['--backup', '--to', to], here)).toBe(0);
  expect((await listBackups(target)).unfinished).toEqual([]);

  let [hits, last] = [0, 8000];
  for (let kill = 0; kill < KILLS; kill += 1) {
    await runKilled(['--restore', '--from', to], there, last);
    if (await isEmptyDatabase(other.url)) hits += 1;
    else last /= 2;
    if (!(await isEmptyDatabase(other.url))) break;
  }
  expect(hits).toBeGreaterThan(0);
  expect(await run(['--restore', '--from', to, '--force'], there)).toBe(0);
  expect((await compareInstallations({ url, storage }, other)).differences).toEqual([]);
});

test('a backup of an older version is restored and migrated', async () => {
  const [old, to, other] = [await emptyDatabase(), await folder(), await emptyInstallation()];
  await runMigrations(old.url, folderUntil(3));
  await old.client`insert into users (email, name, currency, terms_accepted_at) values ('a@mail.example', 'Ana', 'eur', now())`;
  const settings = parseEnv(settingsOf(old.url, await folder()));

  const saved = await printed(() => runBackup(settings, ['--to', to]));
  const restored = await other.restore(to);

  expect([saved, restored]).toMatchObject([{ code: 0 }, { code: 0 }]);
  const { client, close } = createDb(other.url, { max: 1 });
  expect(await client`select email from users order by 1`).toEqual([{ email: 'a@mail.example' }]);
  expect(await client`select to_regproc('ledger_is_balanced') is not null as migrated`).toEqual([{ migrated: true }]);
  await close();
});

test('a backup in a bucket is restored, and names the object that was missing', async () => {
  const [s3, other] = [await startS3Stub(), await emptyInstallation()];
  onTestFinished(() => s3.close());
  const { accessKeyId, secretAccessKey } = s3.credentials;
  const settings = {
    BACKUP_S3_ENDPOINT: s3.endpoint,
    BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
    BACKUP_S3_FORCE_PATH_STYLE: '1',
  };
  const { audioKey } = episodes.podcast.public;
  const content = await buffer(await storage.read(audioKey!));
  await storage.remove(audioKey!);
  const to = `s3://${s3.bucket}/backups of one`.replaceAll(' ', '-');

  const saved = await printed(() => runBackup(parseEnv(settingsOf(url, dataDir, settings)), ['--to', to]));
  const restored = await printed(() =>
    runRestore(parseEnv(settingsOf(other.url, other.dataDir, settings)), ['--from', to]),
  );

  await storage.put(audioKey!, content, { contentType: 'audio/mpeg' });
  expect(saved).toMatchObject({ code: 0, text: expect.stringContaining(`MISSING in the storage: ${audioKey}`) });
  expect(restored).toMatchObject({ code: 0 });
  const { differences } = await compareInstallations({ url, storage }, other);
  expect(differences).toEqual([`object ${audioKey} is only in one`]);
});
