import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { textTimings } from '~/db/schema/transcription';
import { encodeMp3 } from '~/server/audio/encode-mp3';
import { HOURS, later } from '~/server/base/time';
import { removeEpisode } from '~/server/domain/episodes/delete-episode';
import { eraseTranscriptions } from '~/server/domain/transcription/erase-transcriptions';
import { timeText } from '~/server/domain/transcription/time-text';
import { TIMING_LIMITS } from '~/server/limits/transcription';
import { timeText as timeJob } from '~/server/queue/jobs/transcription';
import { systemCtx } from '~/server/runtime/runtime';
import '../../support/matchers';
import { cast } from '../../support/cast';
import type { Pause } from '../../support/pauses';
import { runJobs } from '../../support/run-jobs';
import { TOY_RATE, toySpeak, toySpeech, toyWords } from '../../support/toy-voice';

const { runtime, clock, make, pauseAt, checkNewAudio, ctxOf } = await cast();
const toyProgram = { findVoice: async (language: string) => (language === 'en' ? 'toy' : null), speak: toySpeak };
runtime.ports.speech = toyProgram;

const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, {});
const words = toyWords(60);
const text = words.join(' ');
const said = toySpeech(words, { letter: 0.1, pitch: 1.05 });
const sound = await encodeMp3(
  { sampleRate: TOY_RATE, channels: [said.samples] },
  { version: 2, sampleRate: TOY_RATE, channels: 1, kbps: 64 },
);

async function spoken(by = owner, of = show) {
  const fileKey = await make.upload(by, 'episode_audio', Buffer.from(sound));
  const { id } = await make.draft(by, of, { fileKey });
  await checkNewAudio();
  return id;
}
const base64 = (content: string) => Buffer.from(content).toString('base64');
const start = (id: number, over = {}) =>
  owner.api.transcription.timeText({ id, language: 'en', content: base64(text), ...over });
const runAll = () =>
  runJobs(runtime, timeJob.name, ({ episodeId }: { episodeId: number }, ctx) => timeText(ctx, episodeId));
const jobCtx = () => systemCtx(runtime, timeJob.name);
/** Starts a verb, and returns once it waits. */
async function stopped(pause: Pause, verb: () => Promise<unknown>) {
  const running = verb();
  await pause.reachedBy(running);
  return {
    goOn: () => {
      pause.goOn();
      return running;
    },
  };
}
const state = (id: number) => owner.api.transcription.timing({ id });
const stored = (id: number) => owner.api.episodes.transcript({ id });
const upload = (id: number, content: string) =>
  owner.api.episodes.uploadTranscript({ id, fileName: 'script.txt', content: base64(content) });

test('a pasted text becomes a transcript with the times of its words', async () => {
  const id = await spoken();

  await start(id);
  const during = await state(id);
  await runAll();

  expect(during).toMatchObject({ isExact: true, timing: { status: 'running', percent: 0 }, result: null });
  expect(await state(id)).toMatchObject({ timing: null, result: { sentences: 6, unsure: 0 } });
  const transcript = await stored(id);
  expect(transcript).toMatchObject({ source: 'aligned', hasTimes: true, cues: 6, fileName: 'transcript.txt' });
  for (const [i, { startMs }] of transcript!.excerpt.entries())
    expect(Math.abs(startMs! - said.spans[i * 10]![0])).toBeLessThan(200);
});

test('the stored transcript without times gets them, and keeps its name', async () => {
  const id = await spoken();
  await upload(id, text);

  await start(id, { content: '' });
  await runAll();

  expect(await stored(id)).toMatchObject({ source: 'aligned', hasTimes: true, fileName: 'script.txt' });
});

test('a script in Markdown is timed by its words, under the name of its file', async () => {
  const id = await spoken();
  const script = `# ${words.slice(0, 10).join(' ')}\n\n**${words.slice(10, 20).join(' ')}**\n\n${words.slice(20).join(' ')}`;

  await start(id, { content: base64(script), fileName: 'script.md' });
  await runAll();

  const transcript = (await stored(id))!;
  expect(transcript).toMatchObject({ source: 'aligned', fileName: 'script.md' });
  expect(transcript.excerpt.map((cue) => cue.text).join(' ')).toBe(text);
});

test.each([
  ['without a program', null, 'en'],
  ['in a language without a voice', toyProgram, 'fi'],
])('%s, sentences get rough times', async (_, speech, language) => {
  const id = await spoken();
  runtime.ports.speech = speech;

  await start(id, { language });
  await runAll();
  runtime.ports.speech = toyProgram;

  expect(await state(id)).toMatchObject({ timing: null, result: { sentences: 6, unsure: 6 } });
  const { cues, unsure, excerpt } = (await stored(id))!;
  expect(excerpt[0]).toMatchObject({ confidence: 0 });
  expect(unsure).toBe(cues);
});

test('one text of an episode is timed at a time, and another one once its job is lost', async () => {
  const id = await spoken();
  await start(id);

  await expect(start(id)).toFailWith('timing.running');
  clock.now = later(clock.now, TIMING_LIMITS.lostAfter + 1);
  await start(id);

  expect(await runAll()).toBe(2);
  expect(await state(id)).toMatchObject({ timing: null, result: { sentences: 6 } });
});

test('a job that was killed is repeated, and a late one stores nothing', async () => {
  const id = await spoken();
  await start(id);

  const late = await stopped(pauseAt('timing.compared'), () => timeText(jobCtx(), id));
  await timeText(jobCtx(), id);
  const [first, { updatedAt }] = [await state(id), (await stored(id))!];
  clock.now = later(clock.now, 1000);
  await late.goOn();

  expect(first).toMatchObject({ timing: null, result: { sentences: 6 } });
  expect((await stored(id))!.updatedAt).toEqual(updatedAt);
});

test('a process that works on a text whose job was lost does not store it instead of the next one', async () => {
  const id = await spoken();
  await start(id, { fileName: 'former.txt' });
  const late = await stopped(pauseAt('timing.compared'), () => timeText(jobCtx(), id));
  clock.now = later(clock.now, TIMING_LIMITS.lostAfter + 1);
  await start(id, { fileName: 'next.txt' });

  await late.goOn();
  await runAll();

  expect(await state(id)).toMatchObject({ timing: null });
  expect(await stored(id)).toMatchObject({ fileName: 'next.txt' });
});

test('a transcript that was changed meanwhile is not replaced', async () => {
  const id = await spoken();
  await start(id);

  const job = await stopped(pauseAt('timing.compared'), () => timeText(jobCtx(), id));
  await upload(id, 'Mine.');
  await job.goOn();

  expect(await stored(id)).toMatchObject({ source: 'text', cues: 1 });
  expect(await state(id)).toMatchObject({ timing: { status: 'failed', reason: 'timing.transcript_changed' } });
});

test('a transcript that is stored while a text is read is not replaced', async () => {
  const id = await spoken();

  const started = await stopped(pauseAt('timing.read'), () => start(id));
  await upload(id, 'Mine.');
  await started.goOn();
  await runAll();

  expect(await stored(id)).toMatchObject({ source: 'text', cues: 1 });
});

test.each(['before', 'after'] as const)('with other audio %s the comparison, nothing is stored', async (when) => {
  const id = await spoken();
  await start(id);
  const replace = () => runtime.db.update(episodes).set({ audioKey: 'audio/1/1/b.mp3' }).where(eq(episodes.id, id));

  if (when === 'before') {
    await replace();
    await timeText(jobCtx(), id);
  } else {
    const job = await stopped(pauseAt('timing.compared'), () => timeText(jobCtx(), id));
    await replace();
    await job.goOn();
  }

  expect(await stored(id)).toBeNull();
  expect(await state(id)).toMatchObject({ timing: { status: 'failed', reason: 'transcription.audio_replaced' } });
});

test('a program that fails is a reason on the screen, and the text can be timed again', async () => {
  const id = await spoken();
  runtime.ports.speech = { ...toyProgram, speak: () => Promise.reject(new Error('espeak-ng ended with 1')) };
  await start(id);
  await runAll();
  runtime.ports.speech = toyProgram;

  const failed = await state(id);
  await start(id);
  await runAll();

  expect(failed).toMatchObject({ timing: { status: 'failed', reason: 'timing.failed' } });
  expect(await state(id)).toMatchObject({ timing: null, result: { sentences: 6, unsure: 0 } });
});

test('nothing is timed without a text, or without an end', async () => {
  const id = await spoken();
  const long = await spoken();
  await runtime.db
    .update(episodes)
    .set({ durationMs: HOURS(6) + 1 })
    .where(eq(episodes.id, long));

  await expect(start(long)).toFailWith('timing.too_long');
  await expect(start(id, { content: '' })).toFailWith('timing.text_missing');
  await expect(start(id, { content: base64(' \n') })).toFailWith('timing.text_missing');
  await expect(start(id, { content: base64(' \n'), fileName: 'a.txt' })).toFailWith('transcript.empty');
  await expect(start(id, { content: base64('a '.repeat(80_001)) })).toFailWith('timing.text_too_long');
  await expect(start(id, { content: base64('a\u0001b') })).toFailWith('transcript.not_text');
});

test.each([
  ['one word of a megabyte', 'x'.repeat(1_000_000), 'fi'],
  ['a text from right to left', 'שלום לכולם. היום נדבר על הים.', 'en'],
  ['HTML', '<script>alert(1)</script> [[h@loU]] & more.', 'en'],
  ['no word that can be said', '– – ♪♪ …', 'en'],
])('%s is timed within the sound', async (_, hostile, language) => {
  const id = await spoken();

  await start(id, { content: base64(hostile), language });
  await runAll();

  const transcript = (await stored(id))!;
  expect(transcript).toMatchObject({ source: 'aligned', hasTimes: true });
  for (const { startMs, endMs } of transcript.excerpt) expect(endMs!).toBeGreaterThanOrEqual(startMs!);
  expect(transcript.excerpt.at(-1)!.endMs!).toBeLessThanOrEqual((1000 * said.samples.length) / TOY_RATE + 500);
});

test('a deleted episode is not timed, and a deleted account leaves no text', async () => {
  const id = await spoken();
  const other = await spoken();
  await start(id);
  await start(other);
  await removeEpisode(ctxOf(owner), { id });

  await timeText(jobCtx(), id);
  await eraseTranscriptions(systemCtx(runtime, 'test'), { userId: owner.id });
  await timeText(jobCtx(), other);

  expect(await runtime.db.$count(textTimings, eq(textTimings.creatorId, show.creatorId))).toBe(0);
});
