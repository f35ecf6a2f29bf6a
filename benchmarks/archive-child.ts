// Runs the steps of an archive in a process of its own. Prints a line for each: the bytes so far, and the peak memory.
import { eq } from 'drizzle-orm';
import { creatorArchives } from '~/db/schema/archives';
import { buildArchive } from '~/server/domain/archives/exporting';
import { systemCtx } from '~/server/runtime/runtime';
import { openTestRuntime } from '~/tests/support/open-test-runtime';

const [url = '', dataDir = '', archiveId = ''] = process.argv.slice(2);
const { runtime } = await openTestRuntime(url, dataDir);
const ctx = systemCtx(runtime, 'archives.build');
process.stdout.write(`${JSON.stringify({ bytes: 0, peak: peak(), isReady: false })}\n`);
for (;;) {
  const [row] = await runtime.db.select().from(creatorArchives).where(eq(creatorArchives.id, archiveId));
  process.stdout.write(`${JSON.stringify({ bytes: row!.bytes, peak: peak(), isReady: row!.readyAt !== null })}\n`);
  if (row!.readyAt) break;
  await buildArchive(ctx, { archiveId, step: row!.step });
}
process.exit(0);

function peak(): number {
  return process.resourceUsage().maxRSS * 1024;
}
