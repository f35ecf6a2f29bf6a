import { spawn } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { creatorBackups } from '~/db/schema/creator-backup';
import { SECONDS } from '~/server/base/time';
import { eraseCreatorBackup } from '~/server/domain/creator-backup/sweep-backups';
import { systemCtx } from '~/server/runtime/runtime';
import { makers } from '~/tests/support/make';
import { openTestRuntime } from '~/tests/support/open-test-runtime';
import { type PreparedBenchmark, prepareBenchmark } from './prepare-benchmark';
import { type BenchmarkRow, megabytes } from './table';

/** `BACKUP_GIGABYTES=1 npm run bench -- backup` for a quick look; the disk needs twice as much. */
const GIGABYTES = Number(process.env.ARCHIVE_GIGABYTES ?? 10);
const FILE_BYTES = 50_000_000;

type Progress = { bytes: number; peak: number; isReady: boolean };
type BackupRun = { seconds: number; last: Progress; first: Progress };

/** The backup of a creator with much audio: in one go, and by two processes, of which the first is killed midway. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const small = await runExport(prepared, 0);
  await addAudio(prepared);
  const whole = await runExport(prepared, 0);
  const half = (GIGABYTES * 1e9) / 2;
  const killed = await runExport(prepared, half);
  await prepared.close();
  const seconds = (result: BackupRun) => `${result.seconds.toFixed(1)} s`;
  const speed = (result: BackupRun) => `${megabytes(result.last.bytes / result.seconds)}/s`;
  const peaks = `peak memory ${megabytes(whole.last.peak)}, without audio ${megabytes(small.last.peak)}`;
  const resumed = `killed after ${megabytes(killed.first.bytes)}; ${speed(killed)} with both starts`;
  return [
    { label: 'archive without audio', figure: seconds(small), details: megabytes(small.last.bytes) },
    { label: `archive of ${GIGABYTES} GB`, figure: seconds(whole), details: `${speed(whole)}; ${peaks}` },
    { label: 'the same, killed midway and continued', figure: seconds(killed), details: resumed },
  ];
}

/** Adds files of zeros that take no space: reading, checksums and writing take as long as for other files. */
async function addAudio({ databaseUrl, dataDir, short }: PreparedBenchmark): Promise<void> {
  const { runtime, close } = await openTestRuntime(databaseUrl, dataDir);
  const make = makers(runtime, { passwordHash: 'unknown', cover: null });
  const count = Math.round((GIGABYTES * 1e9) / FILE_BYTES);
  const show = await make.product(short, { slug: 'grande', name: 'Grande' });
  const audioKey = (i: number) => `audio/${short.creatorId}/large/${i}.mp3`;
  await make.episodes(show, count, (i) => ({ audioKey: audioKey(i), audioBytes: FILE_BYTES }));
  for (let i = 0; i < count; i += 1) {
    const file = path.join(dataDir, 'media', audioKey(i));
    await mkdir(path.dirname(file), { recursive: true });
    const handle = await open(file, 'w');
    await handle.truncate(FILE_BYTES);
    await handle.close();
  }
  await close();
}

/** @param killAfter bytes after which the first process is killed; 0 for no kill */
async function runExport(
  { db, databaseUrl, dataDir, short }: PreparedBenchmark,
  killAfter: number,
): Promise<BackupRun> {
  const [row] = await db
    .insert(creatorBackups)
    .values({ creatorId: short.creatorId, requestedAt: new Date(), updatedAt: new Date() })
    .returning();
  const args = [databaseUrl, dataDir, row!.id];
  const began = performance.now();
  const first = await runChild(args, killAfter);
  const last = first.isReady ? first : await runChild(args, 0);
  const seconds = (performance.now() - began) / 1000;
  const { runtime, close } = await openTestRuntime(databaseUrl, dataDir);
  await eraseCreatorBackup(systemCtx(runtime, 'benchmark'), row!.id);
  await close();
  return { seconds, first, last };
}

async function runChild(args: string[], killAfter: number): Promise<Progress> {
  const script = path.resolve('benchmarks/creator-backup-child.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let progress: Progress = { bytes: 0, peak: 0, isReady: false };
  for await (const line of createInterface({ input: child.stdout })) {
    progress = JSON.parse(line);
    // in the middle of the next step
    if (killAfter > 0 && progress.bytes >= killAfter) setTimeout(() => child.kill('SIGKILL'), SECONDS(1.5));
  }
  return progress;
}
