import fs from 'node:fs/promises';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { textTimings, transcriptionRuns } from '~/db/schema/transcription';
import { ENTRIES } from '~/scripts/bundle.mjs';
import { encodeMp3 } from '~/server/audio/encode-mp3';
import { TRANSCRIPTION_LIMITS } from '~/server/limits/transcription';
import { wordsOf } from '~/server/transcript/words';
import { cast } from '../../support/cast';
import { killedProcess } from '../../support/killed-process';
import { SPEECH, speechMp3 } from '../../support/speech';
import { TOY_RATE, toySpeech, toyWords } from '../../support/toy-voice';

const { runtime, make, url, dataDir, transcriberSandbox, checkNewAudio } = await cast();
// it outlives the processes that call it, as a service does
const engine = await transcriberSandbox!.get();
const runKilled = await killedProcess('tests/support/transcription-child.ts', {
  'timing-thread': ENTRIES['timing-thread'],
});
const KILLS = 10;

const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, {});

async function spoken(mp3: Buffer): Promise<number> {
  const { id } = await make.draft(owner, show, { fileKey: await make.upload(owner, 'episode_audio', mp3) });
  await checkNewAudio();
  return id;
}

test(`a transcription that is killed ${KILLS} times ends, and no stored piece is paid for again`, async () => {
  engine.setPace(0.6);
  const id = await spoken(speechMp3());
  const before = (await owner.api.transcription.state({ id })).credits.left;
  await owner.api.transcription.start({ id, language: 'en' });
  const [{ id: runId }] = (await runtime.db
    .select({ id: transcriptionRuns.id })
    .from(transcriptionRuns)
    .where(eq(transcriptionRuns.episodeId, id))) as [{ id: number }];
  const journal = path.join(dataDir, 'sent-pieces');

  const kills = await runKilled([url, dataDir, 'run', `${runId}`, engine.url, journal], KILLS);

  const starts = (await fs.readFile(journal, 'utf8')).trim().split('\n').map(startOf);
  const pieces = starts.at(-1)!.stored + starts.at(-1)!.sent;
  // what was at the engine when a process died
  const lost = starts.slice(0, -1).map(({ stored, sent }, i) => sent - (starts[i + 1]!.stored - stored));
  expect(kills).toBeGreaterThan(KILLS / 2);
  expect(pieces).toBeGreaterThan(15);
  expect(Math.min(...lost)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...lost)).toBeLessThanOrEqual(TRANSCRIPTION_LIMITS.atOnce);
  expect(engine.heard.length).toBeLessThanOrEqual(starts.reduce((sum, { sent }) => sum + sent, 0));
  const [run] = await runtime.db.select().from(transcriptionRuns).where(eq(transcriptionRuns.id, runId));
  expect(run).toMatchObject({ status: 'done', minutes: 1 });
  expect((await owner.api.transcription.state({ id })).credits.left).toBe(before - 1);
  const transcript = (await owner.api.episodes.transcript({ id }))!;
  const words = transcript.excerpt.flatMap(({ text }) => wordsOf(text));
  expect(words).toEqual(SPEECH.words.map(([word]) => word));
});

/** `12 +++`: twelve pieces had a result, and three were sent. */
function startOf(line: string) {
  const [stored = '', sent = ''] = line.split(' ');
  return { stored: Number(stored), sent: sent.length };
}

test(`a text whose timing is killed ${KILLS} times gets its times once`, async () => {
  const words = toyWords(600);
  const said = toySpeech(words, { letter: 0.1, pitch: 1.05 });
  const sound = await encodeMp3(
    { sampleRate: TOY_RATE, channels: [said.samples] },
    { version: 2, sampleRate: TOY_RATE, channels: 1, kbps: 64 },
  );
  const id = await spoken(Buffer.from(sound));
  const content = Buffer.from(words.join(' ')).toString('base64');
  await owner.api.transcription.timeText({ id, language: 'en', content });

  const kills = await runKilled([url, dataDir, 'time', `${id}`, 'http://127.0.0.1:9', ''], KILLS);

  expect(kills).toBeGreaterThan(KILLS / 2);
  // a second result would have failed, because the transcript is another one by then
  expect(await runtime.db.$count(textTimings, eq(textTimings.episodeId, id))).toBe(0);
  const { timing, result } = await owner.api.transcription.timing({ id });
  expect({ timing, unsure: result?.unsure }).toEqual({ timing: null, unsure: 0 });
  expect(await owner.api.episodes.transcript({ id })).toMatchObject({ source: 'aligned', hasTimes: true });
});
