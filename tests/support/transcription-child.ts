// A process that transcribes an episode, or times its text, until that has ended. A test kills it at any moment.
import fs from 'node:fs';
import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { transcriptionPieces } from '~/db/schema/transcription';
import { SECONDS } from '~/server/base/time';
import { runTranscription } from '~/server/domain/transcription/run-transcription';
import { timeText } from '~/server/domain/transcription/time-text';
import { runTranscription as runJob, timeText as timeJob } from '~/server/queue/jobs/transcription';
import { systemCtx } from '~/server/runtime/runtime';
import { openTestRuntime } from './open-test-runtime';
import { toySpeak } from './toy-voice';

const [url = '', dataDir = '', work = '', id = '', engine = '', journal = ''] = process.argv.slice(2);
const engineUrl = { TRANSCRIBER: 'openai', TRANSCRIBER_URL: engine, TRANSCRIBER_KEY: 'sandbox-transcriber' };
const { runtime } = await openTestRuntime(url, dataDir, { ...engineUrl, TRANSCRIBER_MODEL: 'known-speech' });
const ctx = systemCtx(runtime, work === 'run' ? runJob.name : timeJob.name);

/** One line for each process: the pieces with a result when it began, and how many it has sent to the engine. */
async function journalSent(runId: number): Promise<void> {
  const transcriber = runtime.ports.transcriber!;
  const stored = await runtime.db
    .select({ position: transcriptionPieces.position })
    .from(transcriptionPieces)
    .where(and(eq(transcriptionPieces.runId, runId), isNotNull(transcriptionPieces.heard)))
    .orderBy(asc(transcriptionPieces.position));
  fs.appendFileSync(journal, `\n${stored.length} `);
  runtime.ports.transcriber = {
    ...transcriber,
    pieceMs: SECONDS(1),
    hear(piece, how) {
      fs.appendFileSync(journal, '+');
      return transcriber.hear(piece, how);
    },
  };
}

if (work === 'run') {
  await journalSent(Number(id));
  process.stdout.write('ready\n');
  await runTranscription(ctx, Number(id));
} else {
  runtime.ports.speech = { findVoice: async () => 'toy', speak: toySpeak };
  process.stdout.write('ready\n');
  await timeText(ctx, Number(id));
}
process.exit(0);
