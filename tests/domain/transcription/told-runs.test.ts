import { and, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { transcriptionRuns } from '~/db/schema/transcription';
import { openAiTranscriber } from '~/server/adapters/transcriber/openai';
import { later, MINUTES } from '~/server/base/time';
import { runTranscription } from '~/server/domain/transcription/run-transcription';
import { runTranscription as runJob } from '~/server/queue/jobs/transcription';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import type { Creator } from '../../support/make';
import { mp3 } from '../../support/mp3';
import { runJobs } from '../../support/run-jobs';
import { speechMp3 } from '../../support/speech';

const { runtime, clock, make, pauseAt, transcriberSandbox, checkNewAudio } = await cast();
const engine = await transcriberSandbox!.get();
engine.setPace(0);
runtime.ports.transcriber = openAiTranscriber({ ...engine, isTimed: true });

let owner: Creator;
let show: Awaited<ReturnType<typeof make.product>>;
beforeEach(async () => {
  owner = await make.creator({ name: 'Lucía' });
  show = await make.product(owner, {});
  await runtime.db.update(users).set({ language: 'es' }).where(eq(users.id, owner.id));
});

/** An episode whose run began four minutes ago. */
async function begun(bytes = speechMp3(), ago = MINUTES(4)): Promise<number> {
  const fileKey = await make.upload(owner, 'episode_audio', bytes);
  const { id } = await make.draft(owner, show, { fileKey });
  await checkNewAudio();
  await owner.api.transcription.start({ id, language: null });
  clock.now = later(clock.now, ago);
  return id;
}
const run = () => runJobs(runtime, runJob.name, ({ runId }: { runId: number }, ctx) => runTranscription(ctx, runId));
const emails = () =>
  runtime.db
    .select()
    .from(outbox)
    .where(and(eq(outbox.userId, owner.id), eq(outbox.topic, 'transcription')))
    .orderBy(outbox.createdAt);

test('a long run that ends causes one email, in the creator’s language, which leads to the transcript', async () => {
  const id = await begun();
  const ofEpisode = eq(transcriptionRuns.episodeId, id);
  const [{ id: runId } = {} as never] = await runtime.db.select().from(transcriptionRuns).where(ofEpisode);
  const pause = pauseAt('transcription.joined');
  const first = runTranscription(systemCtx(runtime, runJob.name), runId);
  await pause.reachedBy(first);
  await run();
  pause.goOn();
  await first;

  const sent = await emails();

  expect(sent).toMatchObject([{ language: 'es', to: owner.email }]);
  expect(sent[0]!.subject).toMatch(/^«.+» ya está transcrito$/);
  expect(sent[0]!.text).toContain(`/es/podcasts/${show.id}/episodes/${id}/transcript`);
});

test('the email about a failure names its reason', async () => {
  await begun(mp3(20));
  await run();

  const [sent] = await emails();

  expect(sent!.subject).toMatch(/^No se pudo transcribir/);
  expect(sent!.text).toContain('No se reconoció ninguna voz en este episodio.');
});

test('the email about a result that waits for a decision asks for it', async () => {
  const id = await begun();
  const content = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nMine\n').toString('base64');
  await owner.api.episodes.uploadTranscript({ id, fileName: 'a.vtt', content });
  await run();

  expect((await emails()).map(({ subject }) => subject)).toEqual([expect.stringMatching(/elige una transcripción$/)]);
});

test('a short run causes no email, nor does any run of a creator who has turned them off', async () => {
  await begun(speechMp3(), MINUTES(2));
  await run();
  await owner.api.accounts.updateNotifications({ transcription: 'off' });
  await begun();
  await run();

  expect(await emails()).toEqual([]);
});
