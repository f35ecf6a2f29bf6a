// Runs the steps of a backup in a process of its own. Prints a line for each: the bytes so far, and the peak memory.
import { eq } from 'drizzle-orm';
import { creatorBackups } from '~/db/schema/creator-backup';
import { buildCreatorBackup } from '~/server/domain/creator-backup/build-backup';
import { systemCtx } from '~/server/runtime/runtime';
import { openTestRuntime } from '~/tests/support/open-test-runtime';

const [url = '', dataDir = '', backupId = ''] = process.argv.slice(2);
const { runtime } = await openTestRuntime(url, dataDir);
const ctx = systemCtx(runtime, 'archives.build');
process.stdout.write(`${JSON.stringify({ bytes: 0, peak: peakBytes(), isReady: false })}\n`);
for (;;) {
  const [row] = await runtime.db.select().from(creatorBackups).where(eq(creatorBackups.id, backupId));
  process.stdout.write(`${JSON.stringify({ bytes: row!.bytes, peak: peakBytes(), isReady: row!.readyAt !== null })}\n`);
  if (row!.readyAt) break;
  await buildCreatorBackup(ctx, { backupId, step: row!.step });
}
process.exit(0);

function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}
