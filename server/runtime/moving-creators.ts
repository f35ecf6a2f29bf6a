import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { eq } from 'drizzle-orm';
import { creatorBackups } from '~/db/schema/creator-backup';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { translate } from '../base/messages';
import { describeProblem } from '../base/problems';
import { buildCreatorBackup } from '../domain/creator-backup/build-backup';
import { type ImportOptions, importCreatorBackup } from '../domain/creator-backup/import-backup';
import { openCreatorBackup } from '../domain/creator-backup/open-backup';
import { requestForOperator } from '../domain/creator-backup/request-backup';
import { eraseCreatorBackup } from '../domain/creator-backup/sweep-backups';
import type { Env } from '../env/read';
import type { Log } from '../watching/log';
import type { RandomAccess } from '../zip/read-zip';
import type { Ctx } from './ctx';
import { createAlone, openRuntime } from './open-runtime';
import { systemCtx } from './runtime';

const USAGE = `Usage:
  npm run export -- --creator DOMAIN [--out FILE]
  npm run import -- FILE [--domain DOMAIN]
`;
const OPTIONS = {
  creator: { type: 'string' },
  out: { type: 'string' },
  domain: { type: 'string' },
  'export-creator': { type: 'boolean' },
  'import-creator': { type: 'boolean' },
} as const;

/** `npm run export` and `npm run import`, for operators. @returns the exit code */
export async function runMove(env: Env, log: Log, args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [file] = positionals;
  const isExport = values['export-creator'] === true;
  if (isExport ? !values.creator : !file) return fail(USAGE);
  const { runtime, directUrl, close } = await openRuntime(env, log, { runsJobs: false });
  const ctx = systemCtx(runtime, 'operator');
  try {
    if (isExport) await exportCreator(ctx, values.creator!, values.out ?? `altavoz-${values.creator}.zip`);
    else await createAlone(directUrl, log, () => importCreator(ctx, file!, values));
    return 0;
  } catch (error) {
    if (isFileFault(error)) return fail(`${error.message}\n`);
    const { code, params, unexpected } = describeProblem(error);
    if (unexpected) throw error;
    return fail(`${translate(DEFAULT_LANGUAGE, `errors:${code}`, params)}\n`);
  } finally {
    await close();
  }
}

/** Whether a file caused the error, for example because it does not exist. */
const isFileFault = (error: unknown): error is Error => error instanceof Error && 'syscall' in error && 'path' in error;

function fail(text: string): number {
  process.stderr.write(text);
  return 1;
}

const report = (text: string) => void process.stdout.write(`${text}\n`);

/**
 * Runs the steps of a backup in this process, whether or not a worker runs them too, and writes it to a file. A killed
 * backup continues with its next step.
 */
async function exportCreator(ctx: Ctx, domain: string, out: string): Promise<void> {
  const { id, isOperators } = await requestForOperator(ctx, domain);
  const isBackup = eq(creatorBackups.id, id);
  for (;;) {
    const [row] = await ctx.db.select().from(creatorBackups).where(isBackup);
    if (!row || row.failedAt) throw new Error('the archive was given up');
    if (row.readyAt) {
      const parts = row.parts.map(({ key }) => key);
      await pipeline(() => contentOf(ctx, parts), createWriteStream(`${out}.part`));
      await rename(`${out}.part`, out);
      report(`${out} has ${row.bytes} bytes.`);
      break;
    }
    await buildCreatorBackup(ctx, { backupId: id, step: row.step });
    report(`step ${row.step}: ${row.bytes} bytes before it`);
  }
  // a backup that the creator has requested stays available
  if (isOperators) await eraseCreatorBackup(ctx, id);
}

async function* contentOf({ ports }: Ctx, keys: string[]): AsyncGenerator<Buffer, void> {
  for (const key of keys) yield* await ports.storage.read(key);
}

async function importCreator(ctx: Ctx, path: string, options: ImportOptions): Promise<void> {
  const file = await openFile(path);
  try {
    const backup = await openCreatorBackup(file);
    report(`Every file of the archive of ${backup.manifest.creator.name} has its checksum.`);
    const { domain, owner, rows, files } = await importCreatorBackup(ctx, backup, options);
    for (const [table, count] of Object.entries(rows)) if (count > 0) report(`${table}: ${count}`);
    report(`${files} files were copied.`);
    report(`Imported as “${domain}”. ${owner} owns the page, and sets a password with “Forgot your password?”.`);
  } finally {
    await file.close();
  }
}

/** Reads a file of any size in parts, so that memory use stays low. */
export async function openFile(path: string): Promise<RandomAccess & { close(): Promise<void> }> {
  const handle = await open(path);
  const { size } = await handle.stat();
  return {
    bytes: size,
    async read(position, length) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    },
    stream: ({ start, end }) => createReadStream(path, { start, end, highWaterMark: 256 * 1024 }),
    close: () => handle.close(),
  };
}
