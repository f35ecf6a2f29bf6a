import { expect, test } from 'vitest';
import { creatorPlans } from '~/db/schema/plans';
import { runTranscription } from '~/server/domain/transcription/run-transcription';
import { timeText } from '~/server/domain/transcription/time-text';
import { runTranscription as runJob, timeText as timeJob } from '~/server/queue/jobs/transcription';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import { runJobs } from '../support/run-jobs';
import { SPEECH, speechMp3 } from '../support/speech';

const { runtime, env, make, clock, checkNewAudio, transcriberSandbox } = await cast();
(await transcriberSandbox!.get()).setPace(0);
const app = pagesApp(runtime, env.urls);
const { host, origin } = new URL(env.urls.appUrl);
const transcribeAll = () =>
  runJobs(runtime, runJob.name, ({ runId }: { runId: number }, ctx) => runTranscription(ctx, runId));
const timeAll = () =>
  runJobs(runtime, timeJob.name, ({ episodeId }: { episodeId: number }, ctx) => timeText(ctx, episodeId));

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
    sendForm: (url: string, body: FormData) => app.request(url, { headers, method: 'POST', body }),
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

test('an engine is the first way to a transcript; after that, editing is the next step', async () => {
  const { owner, id, open, tab } = await stage('Vera');
  const content = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nMine\n').toString('base64');

  const empty = await open(tab);
  await owner.api.episodes.uploadTranscript({ id, fileName: 'a.vtt', content });
  const filled = await open(tab);

  expect(orderOf(empty, ['Transcription by AI', 'Times for a text', 'Transcript file'])).toEqual([0, 1, 2]);
  expect(orderOf(filled, ['Edit the text', 'a.vtt: one passage', 'Transcription by AI'])).toEqual([0, 1, 2]);
});

/** The positions of texts among each other. */
function orderOf(html: string, texts: string[]): number[] {
  const places = texts.map((text) => html.indexOf(text));
  expect(Math.min(...places)).toBeGreaterThan(0);
  return places.map((place) => places.filter((other) => other < place).length);
}

test('a script is timed from a file, without scripts in the page, and is not called an upload', async () => {
  const { id, open, tab, sendForm } = await stage('Ada');
  const form = new FormData();
  form.append('intent', 'time');
  form.append('language', 'en');
  form.append('script', '');
  form.append('file', new File([SPEECH.words.map(([word]) => word).join(' ')], 'talk.md'));

  const offer = await open(tab);
  const response = await sendForm(tab, form);
  await timeAll();
  const done = await open(tab);

  expect(offer).toMatch(/<input[^>]+id="script-file"[^>]+type="file"/);
  expect(response.headers.get('location')).toContain(`/episodes/${id}/transcript?done=timing_started`);
  expect(done).toContain('Welcome to the field guide to hums.');
  expect(done).toMatch(/talk\.md: \d+ passages/);
});

test('neither a text nor a file is refused beside the field', async () => {
  const { tab, sendForm } = await stage('Eva');
  const form = new FormData();
  form.append('intent', 'time');
  form.append('language', 'en');
  form.append('script', '');
  form.append('file', new File([], ''));

  const refused = await sendForm(tab, form);

  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('Paste the text of the episode, or choose a file.');
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
