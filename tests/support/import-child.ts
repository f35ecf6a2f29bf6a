// A process that runs the steps of an import until it ends. A test kills it at any moment.
import { eq } from 'drizzle-orm';
import { rssImports } from '~/db/schema/rss-import';
import { runImport } from '~/server/domain/rss-import/import-feed';
import { systemCtx } from '~/server/runtime/runtime';
import { openTestRuntime } from './open-test-runtime';
import { checkNewAudio } from './run-jobs';

const [url = '', dataDir = '', id = ''] = process.argv.slice(2);
const { runtime } = await openTestRuntime(url, dataDir, { FETCH_ALLOW_LOOPBACK: 'true' });
process.stdout.write('ready\n');
for (;;) {
  const [row] = await runtime.db
    .select()
    .from(rssImports)
    .where(eq(rssImports.id, Number(id)));
  if (row?.status !== 'in_progress') break;
  await runImport(systemCtx(runtime, 'rss-import.run'), { importId: row.id, step: row.step });
  await checkNewAudio(runtime);
}
process.exit(0);
