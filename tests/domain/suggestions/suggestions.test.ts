import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { suggestionRuns } from '~/db/schema/suggestions';
import { LanguageModelRejected, LanguageModelUnavailable } from '~/server/base/errors';
import { DAYS, HOURS, later, MINUTES, utcDay } from '~/server/base/time';
import { eraseSuggestions } from '~/server/domain/suggestions/erase-suggestions';
import { runSuggestions } from '~/server/domain/suggestions/run-suggestions';
import { SUGGESTION_LIMITS } from '~/server/limits/suggestions';
import { runSuggestions as runJob } from '~/server/queue/jobs/suggestions';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import '../../support/matchers';
import { runJobs } from '../../support/run-jobs';

const { runtime, make, clock, pauseAt } = await cast();
/** What the model answers next, in order. */
const answers: (() => unknown)[] = [];
const asked: string[] = [];
const languageModel = {
  async ask({ data }: { data: string }) {
    asked.push(data);
    return (answers.shift() ?? (() => GOOD))();
  },
  async close() {},
};
runtime.ports.languageModel = languageModel;

const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, {});
const VTT = `WEBVTT

00:00.000 --> 00:03.000
Welcome to the sea

00:04.000 --> 00:06.000
These are the waves

00:07.000 --> 00:09.000
And that was all
`;
const GOOD = {
  title: { text: 'The sea', quotes: [{ at: 0, quote: 'welcome to the sea' }] },
  notes: { text: 'Waves & more.\n\nAnd the end.', quotes: [{ at: 4, quote: 'these are the waves' }] },
  chapters: [
    { title: 'Welcome', at: 0, quote: 'welcome to the' },
    { title: 'Waves', at: 4, quote: 'these are the' },
    { title: 'End', at: 7, quote: 'and that was' },
  ],
};
async function transcribed(by = owner, of = show) {
  const [episode] = await make.episodes(of, 1, () => ({ slug: crypto.randomUUID(), durationMs: MINUTES(1) }));
  const { id } = episode!;
  const content = Buffer.from(VTT).toString('base64');
  await by.api.episodes.uploadTranscript({ id, fileName: 'a.vtt', content });
  return id;
}
const start = (id: number) => owner.api.suggestions.start({ id });
const state = async (id: number) => (await owner.api.suggestions.state({ id }))!;
const runAll = () => runJobs(runtime, runJob.name, ({ runId }: { runId: number }, ctx) => runSuggestions(ctx, runId));
const jobCtx = () => systemCtx(runtime, runJob.name);
async function suggested(answer: () => unknown = () => GOOD) {
  // jobs of former tests take no answer of this one
  await runAll();
  const id = await transcribed();
  const { runId } = await start(id);
  answers.push(answer);
  await runAll();
  return { id, runId };
}

test('suggestions are made from the transcript, and change nothing until they are taken over', async () => {
  const id = await transcribed();
  const before = await owner.api.episodes.forEditing({ id });
  const { left } = await state(id);

  const { runId } = await start(id);
  const during = await state(id);
  answers.push(() => GOOD);
  await runAll();
  const after = await state(id);

  expect(during).toMatchObject({ left: left - 1, run: { id: runId, status: 'running', result: null } });
  expect(JSON.parse(asked.at(-1)!).passages[1]).toEqual({ at: 4, text: 'These are the waves' });
  expect(after.run).toMatchObject({ id: runId, status: 'done', isCurrent: true });
  expect(after.run!.result).toMatchObject({
    title: { text: 'The sea', passages: [{ quote: 'Welcome to the sea', startMs: 0 }] },
    chapters: [
      { title: 'Welcome', startMs: 0 },
      { title: 'Waves', startMs: 4000 },
      { title: 'End', startMs: 7000 },
    ],
  });
  const { updatedAt: _, ...unchanged } = before;
  expect(await owner.api.episodes.forEditing({ id })).toMatchObject(unchanged);
  expect(await owner.api.episodes.chapters({ id })).toEqual([]);
});

test('each part is taken over separately; notes are added once', async () => {
  const { id, runId } = await suggested();
  const { description, slug } = await owner.api.episodes.forEditing({ id });

  await owner.api.suggestions.take({ id, runId, part: 'title' });
  await owner.api.suggestions.take({ id, runId, part: 'notes' });
  await owner.api.suggestions.take({ id, runId, part: 'notes' });
  await owner.api.suggestions.take({ id, runId, part: 'chapters' });

  expect(await owner.api.episodes.forEditing({ id })).toMatchObject({
    ...{ name: 'The sea', slug },
    description: `${description}<p>Waves &amp; more.</p><p>And the end.</p>`,
  });
  expect((await owner.api.episodes.chapters({ id })).map(({ startMs, title }) => [startMs, title])).toEqual([
    [0, 'Welcome'],
    [4000, 'Waves'],
    [7000, 'End'],
  ]);
});

test('notes with apostrophes and quotes are added once, too', async () => {
  const text = 'Don’t say “x” or "y", and don\'t.';
  const { id, runId } = await suggested(() => ({ notes: { ...GOOD.notes, text } }));
  const { description } = await owner.api.episodes.forEditing({ id });
  for (let i = 0; i < 2; i += 1) await owner.api.suggestions.take({ id, runId, part: 'notes' });

  const after = await owner.api.episodes.forEditing({ id });
  expect(after.description).toBe(`${description}<p>${text}</p>`);
});

test('notes are added to what a colleague has saved meanwhile, and once if they are taken twice', async () => {
  const { id, runId } = await suggested();
  const pause = pauseAt('suggestion.read', 2);
  const first = owner.api.suggestions.take({ id, runId, part: 'notes' });
  const second = owner.api.suggestions.take({ id, runId, part: 'notes' });
  await pause.reachedBy(Promise.all([first, second]));
  await owner.api.episodes.update({ id, kind: 'podcast', description: '<p>By a colleague</p>' });
  pause.goOn();
  await Promise.all([first, second]);

  const { description } = await owner.api.episodes.forEditing({ id });
  expect(description).toBe('<p>By a colleague</p><p>Waves &amp; more.</p><p>And the end.</p>');
});

test('chapters are not taken over if the file is replaced at the same moment', async () => {
  const { id, runId } = await suggested();
  const pause = pauseAt('suggestion.read');
  const taking = owner.api.suggestions.take({ id, runId, part: 'chapters' });
  await pause.reachedBy(taking);
  await runtime.db.update(episodes).set({ audioKey: 'audio/other.mp3' }).where(eq(episodes.id, id));
  pause.goOn();

  await expect(taking).toFailWith('suggestions.audio_replaced');
  expect(await owner.api.episodes.chapters({ id })).toEqual([]);
});

test('only what was suggested for this episode can be taken', async () => {
  const { id, runId } = await suggested(() => ({ title: GOOD.title }));
  const other = await transcribed();

  await expect(owner.api.suggestions.take({ id, runId, part: 'notes' })).toFailWith('suggestions.nothing_to_take');
  await expect(owner.api.suggestions.take({ id, runId, part: 'chapters' })).toFailWith('suggestions.nothing_to_take');
  await expect(owner.api.suggestions.take({ id: other, runId, part: 'title' })).toFailWith(
    'suggestions.nothing_to_take',
  );
});

test('chapters of another file are not taken, and a changed transcript is noted', async () => {
  const { id, runId } = await suggested();
  await runtime.db.update(suggestionRuns).set({ audioKey: 'audio/other' }).where(eq(suggestionRuns.id, runId));

  expect((await state(id)).run).toMatchObject({ isCurrent: false });
  await expect(owner.api.suggestions.take({ id, runId, part: 'chapters' })).toFailWith('suggestions.audio_replaced');
  await owner.api.suggestions.take({ id, runId, part: 'title' });
});

test.each<[string, () => unknown, string]>([
  ['has another shape', () => 'a text', 'suggestions.answer_unreadable'],
  [
    'quotes what nobody said',
    () => ({ title: { text: 'A', quotes: [{ quote: 'of another show' }] } }),
    'suggestions.nothing_found',
  ],
  [
    'cannot be read',
    () => {
      throw new LanguageModelRejected('answer', 'x');
    },
    'suggestions.answer_unreadable',
  ],
  [
    'is a refusal',
    () => {
      throw new LanguageModelRejected('account', 'x');
    },
    'suggestions.model_refused',
  ],
])('an answer that %s ends the run with its reason', async (_, answer, reason) => {
  const { id } = await suggested(answer);

  expect((await state(id)).run).toMatchObject({ status: 'failed', reason, result: null });
});

test('a model that is away is asked again later, and given up after a while', async () => {
  const away = () => {
    throw new LanguageModelUnavailable('status 503');
  };
  const { id } = await suggested(away);
  const [tried] = await runtime.db.select().from(suggestionRuns).where(eq(suggestionRuns.episodeId, id));
  expect(tried).toMatchObject({ status: 'running', attempt: 1 });

  const former = clock.now;
  clock.now = later(former, SUGGESTION_LIMITS.givenUp);
  answers.push(away);
  await runSuggestions(jobCtx(), (await state(id)).run!.id);
  clock.now = former;

  expect((await state(id)).run).toMatchObject({ status: 'failed', reason: 'suggestions.model_away' });
});

test('a process that was taken over stores nothing, and a run that has ended is not repeated', async () => {
  const id = await transcribed();
  const { runId } = await start(id);
  const pause = pauseAt('suggestions.answered');
  answers.push(
    () => ({ title: { ...GOOD.title, text: 'Late' } }),
    () => GOOD,
  );
  const dying = runSuggestions(jobCtx(), runId);
  await pause.reachedBy(dying);
  await runSuggestions(jobCtx(), runId);
  pause.goOn();
  await dying;
  await runSuggestions(jobCtx(), runId);

  expect((await state(id)).run).toMatchObject({ status: 'done', result: { title: { text: 'The sea' } } });
  expect(answers).toEqual([]);
});

test('one run of an episode at a time, also of many requests at once; a lost one makes room', async () => {
  const id = await transcribed();
  const starts = await Promise.allSettled(Array.from({ length: 5 }, () => start(id)));
  await expect(start(id)).toFailWith('suggestions.running');
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);

  const former = clock.now;
  // one that has not begun waits for others
  clock.now = later(former, SUGGESTION_LIMITS.lostAfter + 1);
  await expect(start(id)).toFailWith('suggestions.running');
  clock.now = later(former, SUGGESTION_LIMITS.unbegunAfter + 1);
  expect((await state(id)).run).toMatchObject({ status: 'failed', reason: 'suggestions.lost' });
  await start(id);
  clock.now = former;
});

test('the time of a run begins with its first attempt; one that has not ended for long was lost', async () => {
  await runAll();
  const former = clock.now;
  const id = await transcribed();
  const { runId } = await start(id);
  clock.now = later(former, HOURS(2));
  answers.push(() => {
    throw new LanguageModelUnavailable('away');
  });
  await runSuggestions(jobCtx(), runId);
  expect((await state(id)).run).toMatchObject({ status: 'running', startedAt: clock.now });

  clock.now = later(clock.now, SUGGESTION_LIMITS.lostAfter + 1);
  expect((await state(id)).run).toMatchObject({ status: 'failed', reason: 'suggestions.lost' });
  expect((await start(id)).runId).not.toBe(runId);
  clock.now = former;
});

test('a creator has a number of runs a day, failed ones included', async () => {
  const busy = await make.creator({ name: 'Nora' });
  const own = await make.product(busy, {});
  const id = await transcribed(busy, own);
  const now = runtime.now();
  const day = utcDay(now);
  const former = {
    creatorId: busy.creatorId,
    episodeId: id,
    status: 'failed' as const,
    transcriptAt: now,
    startedAt: now,
  };
  await runtime.db.insert(suggestionRuns).values(Array(SUGGESTION_LIMITS.perDay - 1).fill({ ...former, day }));
  const [another] = await make.episodes(own, 1, () => ({ slug: 'another' }));
  await busy.api.episodes.uploadTranscript({
    ...{ id: another!.id, fileName: 'a.vtt', content: Buffer.from(VTT).toString('base64') },
  });

  const starts = await Promise.allSettled([id, another!.id].map((each) => busy.api.suggestions.start({ id: each })));

  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refused = id === another!.id ? id : another!.id;
  await expect(busy.api.suggestions.start({ id: refused })).toFailWith('suggestions.too_many_today');
  clock.now = later(clock.now, DAYS(1) + HOURS(2));
  await expect(busy.api.suggestions.state({ id })).resolves.toMatchObject({ left: SUGGESTION_LIMITS.perDay });
});

test('a deleted account takes its suggestions with it, and no others', async () => {
  const { id } = await suggested();
  const nora = await make.creator({ name: 'Nora' });

  await eraseSuggestions(jobCtx(), { userId: nora.id });
  expect((await state(id)).run).not.toBeNull();
  await eraseSuggestions(jobCtx(), { userId: owner.id });
  expect((await state(id)).run).toBeNull();
});

test('without a transcript or a model, nothing is asked; without a model, nothing is shown', async () => {
  const [bare] = await make.episodes(show, 1, () => ({ slug: 'bare' }));
  await expect(start(bare!.id)).toFailWith('suggestions.no_transcript');
  const { id } = await suggested();
  runtime.ports.languageModel = null;

  await expect(start(id)).toFailWith('suggestions.no_model');
  expect(await owner.api.suggestions.state({ id })).toBeNull();
  runtime.ports.languageModel = languageModel;
});
