import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import { creatorPlans } from '~/db/schema/plans';
import { transcriptionRuns } from '~/db/schema/transcription';
import spanish from '~/locales/es/errors.json';
import { espeak } from '~/server/adapters/speech/espeak';
import { spokenWord } from '~/server/alignment/script';
import { encodeMp3 } from '~/server/audio/encode-mp3';
import { openTranscriberSandbox } from '~/server/sandbox/transcriber/sandbox';
import { shared, wordsOf } from '~/server/transcript/words';
import { makers } from '~/tests/support/make';
import { openTestRuntime } from '~/tests/support/open-test-runtime';
import { toolPath } from '~/tests/support/tools';
import { prepareBenchmark } from './prepare-benchmark';
import { type BenchmarkRow, megabytes } from './table';

const MINUTES = Number(process.env.MINUTES ?? 60);
const WORDS_PER_MINUTE = 150;
const PART_WORDS = 400;

type Measured = { cpuSeconds: number; seconds: number; idleBytes: number; peakBytes: number; failure: string | null };

/** An hour of speech, transcribed by the sandbox engine, and its text timed; each in a process of its own. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const { databaseUrl, dataDir } = prepared;
  const { mp3, text, durationMs } = await spokenText();
  const times = shared(wordsOf(text), 0, durationMs);
  const words = wordsOf(text).map((word, i): [string, number, number] => [word, ...times[i]!]);
  const engine = await openTranscriberSandbox([{ language: 'es', words, mp3: Buffer.from(mp3).toString('base64') }]);
  const { runtime, close } = await openTestRuntime(databaseUrl, dataDir);
  const make = makers(runtime, { passwordHash: 'unknown', cover: null });
  const owner = await make.creator({ name: 'Nora' });
  await runtime.db.insert(creatorPlans).values({ creatorId: owner.creatorId, plan: 'PRO', since: runtime.now() });
  const show = await make.product(owner, { slug: 'una-hora' });
  const audioKey = `audio/${owner.creatorId}/hour.mp3`;
  await runtime.ports.storage.put(audioKey, Buffer.from(mp3), { contentType: 'audio/mpeg' });
  const [episode] = await make.episodes(show, 1, () => ({ audioKey, audioBytes: mp3.length, durationMs }));
  const { id } = episode!;
  const measure = (work: string, subject: number) =>
    inProcess([databaseUrl, dataDir, work, `${subject}`, engine.url, engine.key, engine.model]);

  await owner.api.transcription.start({ id, language: 'es' });
  const [started] = await runtime.db.select().from(transcriptionRuns).where(eq(transcriptionRuns.episodeId, id));
  const transcribed = await measure('run', started!.id);
  await owner.api.transcription.timeText({ id, language: 'es', content: Buffer.from(text).toString('base64') });
  const timed = await measure('time', id);

  await engine.close();
  await close();
  await prepared.close();
  return [
    rowOf(`transcribing ${MINUTES} minutes`, transcribed, `${engine.heard.length} pieces`),
    rowOf(`timing a text of ${MINUTES} minutes`, timed, `${words.length} words`),
  ];
}

function rowOf(label: string, { cpuSeconds, seconds, idleBytes, peakBytes, failure }: Measured, what: string) {
  if (failure) throw new Error(`${label} failed: ${failure}`);
  const details = `${what} in ${seconds.toFixed(0)} s; memory ${megabytes(peakBytes)} at most, ${megabytes(idleBytes)} before`;
  return { label, figure: `${cpuSeconds.toFixed(1)} s CPU`, details };
}

async function inProcess(args: string[]): Promise<Measured> {
  const script = path.resolve('benchmarks/transcription-child.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, ...args]);
  return JSON.parse(stdout);
}

/** Sentences of ours, read by a synthetic voice. */
async function spokenText() {
  const program = toolPath('espeak-ng');
  if (!program) throw new Error('this benchmark needs espeak-ng');
  const sentences = Object.values(spanish).filter((sentence) => !sentence.includes('{{'));
  const text: string[] = [];
  for (let i = 0; text.length < MINUTES * WORDS_PER_MINUTE; i += 1)
    text.push(...wordsOf(sentences[i % sentences.length]!).filter((word) => spokenWord(word) !== null));
  const parts: Int16Array[] = [];
  let sampleRate = 0;
  for (let from = 0; from < text.length; from += PART_WORDS) {
    const part = text.slice(from, from + PART_WORDS).map((word) => ({ text: spokenWord(word)!, volume: 100 }));
    const spoken = await espeak(program).speak(part, 'es-419+m3');
    sampleRate = spoken.sampleRate;
    parts.push(spoken.samples);
  }
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const samples = new Float32Array(length);
  let at = 0;
  for (const part of parts) {
    samples.set(
      Float32Array.from(part, (sample) => sample / 32_768),
      at,
    );
    at += part.length;
  }
  const mp3 = await encodeMp3({ sampleRate, channels: [samples] }, { version: 2, sampleRate, channels: 1, kbps: 64 });
  return { mp3, text: text.join(' '), durationMs: Math.round((1000 * length) / sampleRate) };
}
