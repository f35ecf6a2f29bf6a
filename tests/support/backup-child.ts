// A process that runs the steps of a backup until it is complete, or imports one. A test kills it at any moment.
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { backupImports, creatorBackups } from '~/db/schema/creator-backup';
import { buildCreatorBackup } from '~/server/domain/creator-backup/build-backup';
import { importCreatorBackup } from '~/server/domain/creator-backup/import-backup';
import { openCreatorBackup } from '~/server/domain/creator-backup/open-backup';
import { CREATOR_BACKUP_LIMITS } from '~/server/limits/creator-backup';
import { openFile } from '~/server/runtime/moving-creators';
import { systemCtx } from '~/server/runtime/runtime';
import { openTestRuntime } from './open-test-runtime';

const [url = '', dataDir = '', work = '', subject = ''] = process.argv.slice(2);
// many steps, even with few files
Object.assign(CREATOR_BACKUP_LIMITS, { stepFiles: 3, rows: 20 });
const { runtime } = await openTestRuntime(url, dataDir);
const { storage } = runtime.ports;
// as slow as a file of some megabytes
const head: typeof storage.head = (key) => sleep(40).then(() => storage.head(key));
const ctx = systemCtx({ ...runtime, ports: { ...runtime.ports, storage: { ...storage, head } } }, 'archives.build');
process.stdout.write('ready\n');
if (work === 'import') await runImport(subject);
else await runExport(subject);
process.exit(0);

async function runExport(id: string): Promise<void> {
  for (;;) {
    const [row] = await runtime.db.select().from(creatorBackups).where(eq(creatorBackups.id, id));
    if (!row || row.readyAt) return;
    await buildCreatorBackup(ctx, { backupId: id, step: row.step });
  }
}

async function runImport(file: string): Promise<void> {
  const archive = await openCreatorBackup(await openFile(file));
  const done = eq(backupImports.backupId, archive.manifest.archive);
  const [row] = await runtime.db.select().from(backupImports).where(done);
  if (!row?.endedAt) await importCreatorBackup(ctx, archive);
}
