import { asc, eq } from 'drizzle-orm';
import { afterAll, afterEach, expect, test } from 'vitest';
import { episodeTranscripts } from '~/db/schema/episode-parts';
import { transcriptionPieces } from '~/db/schema/transcription';
import { assemblyAiTranscriber } from '~/server/adapters/transcriber/assemblyai';
import { later, SECONDS } from '~/server/base/time';
import { recoverTranscriptions } from '~/server/domain/transcription/recover-transcriptions';
import { runTranscription } from '~/server/domain/transcription/run-transcription';
import { TRANSCRIPTION_LIMITS } from '~/server/limits/transcription';
import { runTranscription as runJob } from '~/server/queue/jobs/transcription';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { engineServer } from '../../support/engine-server';
import { runJobs } from '../../support/run-jobs';
import { speechMp3 } from '../../support/speech';

const { runtime, clock, make, checkNewAudio } = await cast();
const server = await engineServer({ authorization: 'key' });
runtime.ports.transcriber = assemblyAiTranscriber({ url: server.url, key: 'key', models: [] }, server.calls);
afterEach(server.forget);
afterAll(server.close);

const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, {});
const runAll = () => runJobs(runtime, runJob.name, ({ runId }: { runId: number }, ctx) => runTranscription(ctx, runId));

async function started() {
  const { id } = await make.draft(owner, show, { fileKey: await make.upload(owner, 'episode_audio', speechMp3()) });
  await checkNewAudio();
  await owner.api.transcription.start({ id, language: null });
  return id;
}
const UPLOADED = { body: { upload_url: 'https://cdn.example/1' } };
const QUEUED = { body: { id: 'order-1', status: 'queued' } };
const word = (text: string, start: number, speaker: string) => ({ text, start, end: start + 400, speaker });
const WORDS = [word('Hola.', 100, 'A'), word('Adiós.', 1000, 'B')];
const DONE = { body: { id: 'order-1', status: 'completed', language_code: 'es', words: WORDS } };

test('after a failure the piece’s order is asked for again: it is uploaded and paid for once', async () => {
  const id = await started();
  server.answers.push(UPLOADED, QUEUED, 'hang up', 'hang up', 'hang up', 'hang up');

  await runAll();
  const orders = await runtime.db
    .select({ order: transcriptionPieces.remoteOrder })
    .from(transcriptionPieces)
    .orderBy(asc(transcriptionPieces.position));
  server.answers.push(DONE);
  clock.now = later(clock.now, TRANSCRIPTION_LIMITS.lostAfter + SECONDS(1));
  await recoverTranscriptions(systemCtx(runtime, runJob.name));
  await runAll();

  expect(orders).toEqual([{ order: 'order-1' }]);
  expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
  expect((await owner.api.transcription.state({ id })).run?.status).toBe('done');
});

test('voices get names in the language that was heard', async () => {
  const id = await started();
  server.answers.push(UPLOADED, DONE);

  await runAll();

  const [stored] = await runtime.db.select().from(episodeTranscripts).where(eq(episodeTranscripts.episodeId, id));
  expect(stored?.cues.map(({ speaker, text }) => [speaker, text])).toEqual([
    ['Voz 1', 'Hola.'],
    ['Voz 2', 'Adiós.'],
  ]);
});
