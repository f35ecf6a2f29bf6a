// Transcribes an episode, or times its text, in a process of its own. Prints its processor time and the peak of its memory.
import { eq } from 'drizzle-orm';
import { textTimings, transcriptionRuns } from '~/db/schema/transcription';
import { runTranscription } from '~/server/domain/transcription/run-transcription';
import { timeText } from '~/server/domain/transcription/time-text';
import { runTranscription as runJob, timeText as timeJob } from '~/server/queue/jobs/transcription';
import { systemCtx } from '~/server/runtime/runtime';
import { openTestRuntime } from '~/tests/support/open-test-runtime';

const [url = '', dataDir = '', work = '', id = '', engine = '', key = '', model = ''] = process.argv.slice(2);
const settings = { TRANSCRIBER_URL: engine, TRANSCRIBER_KEY: key, TRANSCRIBER_MODEL: model };
const { runtime } = await openTestRuntime(url, dataDir, { TRANSCRIBER: 'openai', ...settings });
const ctx = systemCtx(runtime, work === 'run' ? runJob.name : timeJob.name);
const { db } = runtime;

const before = process.cpuUsage();
const idleBytes = process.memoryUsage.rss();
const began = performance.now();
if (work === 'run') await runTranscription(ctx, Number(id));
else await timeText(ctx, Number(id));
const { user, system } = process.cpuUsage(before);
const [row] =
  work === 'run'
    ? await db
        .select({ status: transcriptionRuns.status, reason: transcriptionRuns.reason })
        .from(transcriptionRuns)
        .where(eq(transcriptionRuns.id, Number(id)))
    : await db
        .select({ status: textTimings.status, reason: textTimings.reason })
        .from(textTimings)
        .where(eq(textTimings.episodeId, Number(id)));
const result = {
  cpuSeconds: (user + system) / 1_000_000,
  seconds: (performance.now() - began) / 1000,
  idleBytes,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  // a timing that succeeded has no row
  failure: !row || row.status === 'done' ? null : row.reason,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
