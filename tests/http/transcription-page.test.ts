import { expect, test } from 'vitest';
import { creatorPlans } from '~/db/schema/plans';
import { runTranscription } from '~/server/domain/transcription/run-transcription';
import { runTranscription as runJob } from '~/server/queue/jobs/transcription';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import { runJobs } from '../support/run-jobs';
import { speechMp3 } from '../support/speech';

const { runtime, env, make, clock, checkNewAudio, transcriberSandbox } = await cast();
(await transcriberSandbox!.get()).setPace(0);
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);
const transcribeAll = () =>
  runJobs(runtime, runJob.name, ({ runId }: { runId: number }, ctx) => runTranscription(ctx, runId));

async function stage(name: string) {
  const owner = await make.creator({ name });
  const show = await make.product(owner, {});
  const { id } = await make.draft(owner, show, { fileKey: await make.upload(owner, 'episode_audio', speechMp3()) });
  await checkNewAudio();
  const tab = `${env.urls.appUrl}/podcasts/${show.id}/episodes/${id}/transcript`;
  const page = `${env.urls.appUrl}/podcasts/${show.id}/episodes/${id}/transcription`;
  const headers = { cookie: `token=${owner.token}; language=en`, host, origin };
  return {
    ...{ owner, id, tab, page },
    open: async (url: string) => (await app.request(url, { headers })).text(),
    send: (fields: Record<string, string>) =>
      app.request(page, { headers, method: 'POST', body: new URLSearchParams(fields) }),
  };
}

test('a creator sees the minutes, starts, follows the progress without scripts, and reads the transcript', async () => {
  const { open, send, page, tab } = await stage('Lucía');

  const offer = await open(page);
  const response = await send({ intent: 'start', language: '' });
  const running = await open(page);
  await transcribeAll();
  const done = await open(tab);

  expect(offer).toContain('120 minutes left');
  expect(offer).toContain('This episode takes 1 minute.');
  expect(response.headers.get('location')).toContain('/transcription?done=transcription_started');
  expect(running).toContain('<progress');
  expect(running).toContain('>Refresh</a>');
  expect(done).toContain('Welcome to the field guide to hums.');
  expect(done).toContain('Replace the transcript that this episode has');
});

test('a transcript that was changed meanwhile is replaced only by the creator’s decision', async () => {
  const { owner, id, open, send, tab } = await stage('Nora');
  await send({ intent: 'start', language: 'en' });
  const content = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nMine\n').toString('base64');
  await owner.api.episodes.uploadTranscript({ id, fileName: 'a.vtt', content });
  await transcribeAll();

  const asked = await open(tab);
  const response = await send({ intent: 'take' });

  expect(asked).toContain('Mine');
  expect(asked).toContain('Use the new transcript');
  expect(response.headers.get('location')).toContain('/transcript?done=transcript_saved');
  expect(await open(tab)).toContain('Welcome to the field guide');
});

test('a plan without transcription links to the plans, and a sent form says why it is refused', async () => {
  const { owner, open, send, page } = await stage('Inés');
  await runtime.db.insert(creatorPlans).values({ creatorId: owner.creatorId, plan: 'FREE', since: clock.now });

  const html = await open(page);
  const refused = await send({ intent: 'start', language: '' });

  expect(html).toContain('See the plans');
  expect(html).not.toContain('value="start"');
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('Audio AI Transcription is available only for paid users.');
});

test('an installation without an engine says so, links to two other ways, and takes no order', async () => {
  const { open, send, page, tab } = await stage('Otra');
  const { transcriber } = runtime.ports;
  runtime.ports.transcriber = null;

  const html = await open(page);
  const there = await open(tab);
  const refused = await send({ intent: 'start', language: '' });
  runtime.ports.transcriber = transcriber;

  expect(html).toContain('This installation has no transcription engine.');
  expect([...html.matchAll(/href="[^"]*\/transcript#([^"]+)"/g)].map(([, anchor]) => anchor)).toEqual([
    'upload',
    'timing',
  ]);
  expect(there).toMatch(/<form[^>]+id="upload"/);
  expect(there).toMatch(/<section id="timing"/);
  expect(html).not.toContain('value="start"');
  expect(refused.status).toBe(409);
});
