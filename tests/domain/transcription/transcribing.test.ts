import { and, asc, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { creatorPlans } from '~/db/schema/plans';
import { transcriptionPieces, transcriptionRuns } from '~/db/schema/transcription';
import { openAiTranscriber } from '~/server/adapters/transcriber/openai';
import { DAYS, later, MINUTES, SECONDS } from '~/server/base/time';
import { removeEpisode } from '~/server/domain/episodes/delete-episode';
import { eraseTranscriptions } from '~/server/domain/transcription/erase-transcriptions';
import { recoverTranscriptions } from '~/server/domain/transcription/recover-transcriptions';
import { runTranscription } from '~/server/domain/transcription/run-transcription';
import { TRANSCRIPTION_LIMITS } from '~/server/limits/transcription';
import { runTranscription as runJob } from '~/server/queue/jobs/transcription';
import { systemCtx } from '~/server/runtime/runtime';
import type { Speech } from '~/server/sandbox/transcriber/known-speech';
import { wordsOf } from '~/server/transcript/words';
import '../../support/matchers';
import { cast } from '../../support/cast';
import { mp3 } from '../../support/mp3';
import { runJobs } from '../../support/run-jobs';
import { SPEECH, speechMp3 } from '../../support/speech';

const { runtime, clock, make, pauseAt, transcriberSandbox, checkNewAudio, ctxOf } = await cast();
const engine = await transcriberSandbox!.get();
engine.setPace(0);
/** Pieces of eight seconds, so that the recording has several. */
runtime.ports.transcriber = { ...openAiTranscriber({ ...engine, isTimed: true }), pieceMs: SECONDS(8) };

const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, {});
const jobCtx = () => systemCtx(runtime, runJob.name);
const runAll = () => runJobs(runtime, runJob.name, ({ runId }: { runId: number }, ctx) => runTranscription(ctx, runId));

async function spoken(bytes: Buffer = speechMp3(), by = owner, of = show) {
  const fileKey = await make.upload(by, 'episode_audio', bytes);
  const { id } = await make.draft(by, of, { fileKey });
  await checkNewAudio();
  return id;
}
const start = (id: number, over = {}) => owner.api.transcription.start({ id, language: null, ...over });
const state = (id: number) => owner.api.transcription.state({ id });
const stored = (id: number) => owner.api.episodes.transcript({ id });
const runOf = async (id: number) => {
  const [run] = await runtime.db.select().from(transcriptionRuns).where(eq(transcriptionRuns.episodeId, id));
  return run!;
};
const left = async (id: number) => (await state(id)).credits.left;
const upload = (id: number, text = 'WEBVTT\n\n00:01.000 --> 00:02.000\nMine\n') =>
  owner.api.episodes.uploadTranscript({ id, fileName: 'a.vtt', content: Buffer.from(text).toString('base64') });

test('a spoken episode is transcribed: the words, their times, their language, and a minute of the month', async () => {
  const id = await spoken();
  const before = await left(id);

  await start(id);
  const during = await state(id);
  await runAll();
  const after = await state(id);
  const transcript = await stored(id);

  expect(during).toMatchObject({ run: { status: 'running' }, neededMinutes: 1, credits: { left: before - 1 } });
  expect(after).toMatchObject({
    run: { status: 'done', pieces: 0 },
    hasTranscript: true,
    credits: { left: before - 1 },
  });
  expect(transcript).toMatchObject({ source: 'engine', language: 'en', hasTimes: true });
  const words = transcript!.excerpt.flatMap((cue) => wordsOf(cue.text).map((word, i) => [word, ...cue.words![i]!]));
  expect(words.map(([word]) => word)).toEqual(SPEECH.words.map(([word]) => word));
  // a word at a cut begins or ends there
  for (const [i, [, startMs, endMs]] of SPEECH.words.entries()) {
    expect(Math.abs((words[i]![1] as number) - startMs)).toBeLessThan(100);
    expect(Math.abs((words[i]![2] as number) - endMs)).toBeLessThan(100);
  }
});

test('the engine gets the words of the show, and their usual mistakes are corrected in what it hears', async () => {
  const [first, second, third] = SPEECH.words.map(([word]) => word.replace(/[.,;:!?]/g, ''));
  const lines = [`Altavoz = ${first} ${second}`, `Äquator = ${third}`, 'Lucía Ferrer'];
  const own = await make.product(owner, {});
  await owner.api.transcripts.saveGlossary({ id: own.id, kind: 'podcast', lines, editOf: null });
  const id = await spoken(speechMp3(), owner, own);
  const heard = engine.heard.length;

  await start(id);
  await runAll();

  const asked = engine.heard.slice(heard).map(({ prompt }) => prompt);
  expect(new Set(asked)).toEqual(new Set(['Altavoz, Äquator, Lucía Ferrer']));
  const { cues } = await owner.api.transcripts.edit({ id });
  expect(cues[0]!.text.startsWith('Altavoz Äquator')).toBe(true);
  const [[, fromMs]] = SPEECH.words as [Speech['words'][0]];
  expect(Math.abs(cues[0]!.words![0]![0] - fromMs)).toBeLessThan(100);
  expect(cues[0]!.words).toHaveLength(wordsOf(cues[0]!.text).length);
  const [original] = await owner.api.transcripts.original({ id });
  expect(original!.text.startsWith(`${first} ${second}`)).toBe(true);
});

test('sound without known speech gets no invented words: the run fails and returns its minutes', async () => {
  const id = await spoken(mp3(20));
  const before = await left(id);

  await start(id);
  await runAll();

  expect(await state(id)).toMatchObject({
    run: { status: 'failed', reason: 'transcription.not_recognised' },
    hasTranscript: false,
    credits: { left: before },
  });
});

test('a process that dies at any step is continued by another one, and no piece with a result is paid for again', async () => {
  const id = await spoken();
  const heard = engine.heard.length;
  await start(id);
  const { id: runId } = await runOf(id);
  const die = async (seam: Parameters<typeof pauseAt>[0], verbs = 1) => {
    const pause = pauseAt(seam, verbs);
    const dying = runTranscription(jobCtx(), runId);
    await pause.reachedBy(dying);
    return { pause, dying };
  };

  const dead = [await die('transcription.planned'), await die('transcription.joined')];
  const paid = engine.heard.length - heard;
  await runTranscription(jobCtx(), runId);
  for (const { pause } of dead) pause.goOn();
  await Promise.all(dead.map(({ dying }) => dying));

  expect(paid).toBe(4);
  expect(engine.heard.length - heard).toBe(4);
  expect(await runOf(id)).toMatchObject({ status: 'done', attempt: 3, minutes: 1 });
  expect((await stored(id))!.cues).toBeGreaterThan(3);
});

test('a process that dies while pieces are at the engine sends only those again', async () => {
  const id = await spoken();
  const heard = engine.heard.length;
  await start(id);
  const { id: runId } = await runOf(id);
  const results = () =>
    runtime.db.$count(
      transcriptionPieces,
      and(eq(transcriptionPieces.runId, runId), eq(transcriptionPieces.position, 0)),
    );

  const pause = pauseAt('piece.heard', 2);
  const dying = runTranscription(jobCtx(), runId);
  await pause.reachedBy(dying);
  await expect.poll(() => engine.heard.length - heard).toBe(4);
  await runTranscription(jobCtx(), runId);
  pause.goOn();
  await dying;

  // two results were lost with the process
  expect(engine.heard.length - heard).toBe(6);
  expect(await results()).toBe(0);
  expect(await runOf(id)).toMatchObject({ status: 'done', minutes: 1 });
});

test('twenty requests at once take one run and its minutes once', async () => {
  const id = await spoken();
  const before = await left(id);

  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => start(id)));

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await left(id)).toBe(before - 1);
  await runAll();
});

test('twenty episodes at once take no more minutes than the month has', async () => {
  const other = await make.creator({ name: 'Nora' });
  const otherShow = await make.product(other, {});
  await runtime.db.insert(creatorPlans).values({ creatorId: other.creatorId, plan: 'PRO', since: clock.now });
  const made = await make.episodes(otherShow, 20, () => ({ durationMs: MINUTES(11) }));

  const outcomes = await Promise.allSettled(
    made.map(({ id }) => other.api.transcription.start({ id, language: null })),
  );

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: 'transcription.no_credits' },
  });
  const { credits } = await other.api.transcription.state({ id: made[0]!.id });
  expect(credits).toMatchObject({ of: 120, left: 10 });
  await runtime.queue.boss.fetch(runJob.name, { batchSize: 100 });
});

test('a run goes on after a downgrade, and the smaller plan has no minutes left', async () => {
  const other = await make.creator({ name: 'Inés' });
  const otherShow = await make.product(other, {});
  const id = await spoken(speechMp3(), other, otherShow);
  await other.api.transcription.start({ id, language: 'en' });
  await runtime.db.insert(creatorPlans).values({ creatorId: other.creatorId, plan: 'FREE', since: clock.now });

  await runAll();

  expect(await other.api.transcription.state({ id })).toMatchObject({
    run: { status: 'done' },
    isInPlan: false,
    credits: { of: 0, left: 0 },
  });
  await expect(other.api.transcription.start({ id, language: null })).toFailWith('plan.transcription_required');
});

test('a transcript that is uploaded meanwhile is kept until its creator decides', async () => {
  const [kept, taken] = [await spoken(), await spoken()];
  for (const id of [kept, taken]) {
    await start(id);
    await upload(id);
  }
  await runAll();
  const waiting = [(await state(kept)).run?.status, (await stored(kept))?.source];

  await owner.api.transcription.decide({ id: kept, takes: false });
  await owner.api.transcription.decide({ id: taken, takes: true });

  expect(waiting).toEqual(['waiting', 'vtt']);
  expect([(await stored(kept))?.source, (await stored(taken))?.source]).toEqual(['vtt', 'engine']);
  await expect(owner.api.transcription.decide({ id: taken, takes: true })).toFailWith(
    'transcription.nothing_to_decide',
  );
});

test('an existing transcript is replaced only if its creator agrees', async () => {
  const id = await spoken();
  await upload(id);

  await expect(start(id)).toFailWith('transcription.has_transcript');
  await start(id, { replaces: true });
  await runAll();

  expect((await stored(id))?.source).toBe('engine');
});

test('a deleted episode, and one with another file, end their runs; pieces that were heard are used', async () => {
  const [deleted, replaced] = [await spoken(), await spoken()];
  const before = await left(replaced);
  await start(deleted);
  await start(replaced);
  await removeEpisode(ctxOf(owner), { id: deleted, kind: 'podcast' });
  const { id: runId } = await runOf(replaced);
  const pause = pauseAt('transcription.joined');
  const running = runTranscription(jobCtx(), runId);
  await pause.reachedBy(running);
  await runtime.db.update(episodes).set({ audioKey: 'audio/1/1/other.mp3' }).where(eq(episodes.id, replaced));
  pause.goOn();
  await running;
  await runAll();

  expect(await runOf(deleted)).toMatchObject({ status: 'cancelled', minutes: 0, reason: null });
  expect(await runOf(replaced)).toMatchObject({
    status: 'cancelled',
    minutes: 1,
    reason: 'transcription.audio_replaced',
  });
  expect(await stored(replaced)).toBeNull();
  expect(await left(replaced)).toBe(before - 1);
});

test('characters that cannot be stored do not make an engine hear a piece again', async () => {
  const id = await spoken();
  await start(id);
  const { hear } = runtime.ports.transcriber!;
  let heard = 0;
  runtime.ports.transcriber!.hear = async () => {
    heard += 1;
    const word = { text: 'Good\u0000\ud800', startMs: 0, endMs: 900 };
    return { language: 'en', passages: [{ ...word, words: [word], speaker: '\u0000A' }] };
  };

  await runAll();
  runtime.ports.transcriber!.hear = hear;

  expect((await state(id)).run?.status).toBe('done');
  const passages = (await stored(id))!.excerpt;
  expect(passages[0]).toMatchObject({ text: 'Good\ufffd', startMs: 0 });
  // one of each piece
  expect(heard).toBe(passages.length);
});

test('while the engine is away the run waits; after hours it fails and returns its minutes', async () => {
  const id = await spoken();
  const before = await left(id);
  const { hear } = runtime.ports.transcriber!;
  const { TranscriberUnavailable } = await import('~/server/base/errors');
  runtime.ports.transcriber!.hear = () => Promise.reject(new TranscriberUnavailable('status 503'));
  await start(id);

  await runAll();
  const waiting = (await state(id)).run?.status;
  clock.now = later(clock.now, TRANSCRIPTION_LIMITS.givenUp + MINUTES(1));
  await recoverTranscriptions(jobCtx());
  runtime.ports.transcriber!.hear = hear;

  expect(waiting).toBe('running');
  expect(await state(id)).toMatchObject({
    run: { status: 'failed', reason: 'transcription.engine_away' },
    credits: { left: before },
  });
});

test('a run whose job was lost continues', async () => {
  const id = await spoken();
  await start(id);
  await runtime.queue.boss.fetch(runJob.name, { batchSize: 100 });

  clock.now = later(clock.now, TRANSCRIPTION_LIMITS.lostAfter + SECONDS(1));
  await recoverTranscriptions(jobCtx());
  await runAll();

  expect((await state(id)).run?.status).toBe('done');
});

test('drafts and episodes that are too long are refused, and other creators cannot start or see a run', async () => {
  const other = await make.creator({ name: 'Otra' });
  const [long] = await make.episodes(show, 1, () => ({ durationMs: TRANSCRIPTION_LIMITS.longest + 1, slug: 'long' }));
  const [draft] = await make.episodes(show, 1, () => ({ status: 'on_hold', slug: 'draft' }));

  await expect(start(long!.id)).toFailWith('transcription.too_long');
  await expect(start(draft!.id)).toFailWith('transcription.not_published');
  await expect(other.api.transcription.start({ id: long!.id, language: null })).toFailWith('episode.not_found');
  await expect(other.api.transcription.state({ id: long!.id })).toFailWith('episode.not_found');
});

test('a result of a file that was replaced can only be deleted', async () => {
  const id = await spoken();
  await start(id);
  await upload(id);
  await runAll();
  await runtime.db.update(episodes).set({ audioKey: 'audio/1/1/other.mp3' }).where(eq(episodes.id, id));

  await expect(owner.api.transcription.decide({ id, takes: true })).toFailWith('transcription.result_outdated');
  await owner.api.transcription.decide({ id, takes: false });

  expect((await stored(id))?.source).toBe('vtt');
});

test('undecided results are deleted after a month, and everything with the account', async () => {
  const id = await spoken();
  await start(id);
  await upload(id);
  await runAll();

  clock.now = later(clock.now, TRANSCRIPTION_LIMITS.kept + DAYS(1));
  await recoverTranscriptions(jobCtx());
  const pieces = await runtime.db.select().from(transcriptionPieces).orderBy(asc(transcriptionPieces.runId));
  await eraseTranscriptions(jobCtx(), { userId: owner.id });

  expect(pieces).toEqual([]);
  expect(await runtime.db.$count(transcriptionRuns, eq(transcriptionRuns.creatorId, owner.creatorId))).toBe(0);
});
