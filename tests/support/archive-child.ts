// A process that runs the steps of an archive until it is ready, or imports one, and that a test kills at any moment.
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { archiveImports, creatorArchives } from '~/db/schema/archives';
import { buildArchive } from '~/server/domain/archives/exporting';
import { importArchive } from '~/server/domain/archives/importing';
import { openArchive } from '~/server/domain/archives/verifying';
import { ARCHIVE_LIMITS } from '~/server/limits/archives';
import { openFile } from '~/server/runtime/moving-creators';
import { systemCtx } from '~/server/runtime/runtime';
import { openTestRuntime } from './open-test-runtime';

const [url = '', dataDir = '', work = '', subject = ''] = process.argv.slice(2);
// many steps, however few files there are
Object.assign(ARCHIVE_LIMITS, { stepFiles: 3, rows: 20 });
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
    const [row] = await runtime.db.select().from(creatorArchives).where(eq(creatorArchives.id, id));
    if (!row || row.readyAt) return;
    await buildArchive(ctx, { archiveId: id, step: row.step });
  }
}

async function runImport(file: string): Promise<void> {
  const archive = await openArchive(await openFile(file));
  const done = eq(archiveImports.archiveId, archive.manifest.archive);
  const [row] = await runtime.db.select().from(archiveImports).where(done);
  if (!row?.endedAt) await importArchive(ctx, archive);
}
