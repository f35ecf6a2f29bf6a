/**
 * The process that has the model: a damaged model, or too little memory, ends it and not the server. open-recogniser.ts
 * starts it and talks to it.
 */
import fs from 'node:fs/promises';
import { availableParallelism, setPriority } from 'node:os';
import path from 'node:path';
import type { Heard, HeardPassage } from '../transcript/heard';
import { decodePiece } from './decode-piece';
import { findModel, mainFile, statedType } from './model-files';
import { configOf, knownLanguage, loadSherpa } from './sherpa';
import { type Tokens, wordsOfTokens } from './words-of-tokens';

/** An MP3, and its language as a code of two letters; null if the model finds it. */
export type RecogniserInput = { mp3: Uint8Array; language: string | null };
/** `bytes`: the memory of this process. `answer`: the model's result cannot be read. */
export type RecogniserReply =
  | { ready: true }
  | { heard: Heard; bytes: number }
  | { fault: 'setup' | 'sound' | 'answer' | 'memory'; message: string };

/** Answering requests takes priority. */
const NICE = 10;
const MOST_THREADS = 4;
/** The kernel ends this process first where memory runs out. */
const OOM_SCORE = '800';
/** An ONNX file has its properties at its end. */
const PROPERTIES_BYTES = 64 * 1024;

const [folder = '', memory = '', packageName = ''] = process.argv.slice(2);
const memoryBytes = Number(memory);
const post = (reply: RecogniserReply) => process.send?.(reply);

async function openModel() {
  const sherpa = loadSherpa(packageName);
  const names = await fs.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`TRANSCRIBER_MODEL_DIR ${folder} can't be read (${error.code})`);
  });
  const model = findModel(names, await describe(names));
  if (!model) throw new Error(`TRANSCRIBER_MODEL_DIR ${folder} has no model of a known kind: ${listed(names)}`);
  const loaded = { model, folder, threads: Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1)) };
  let language: string | null = null;
  const recognizer = new sherpa.OfflineRecognizer(configOf(loaded, language));
  return {
    model,
    recognise(samples: Float32Array, sampleRate: number, wanted: string | null) {
      if (wanted !== language) recognizer.setConfig(configOf(loaded, wanted));
      language = wanted;
      const stream = recognizer.createStream();
      stream.acceptWaveform({ samples, sampleRate });
      recognizer.decode(stream);
      return recognizer.getResult(stream);
    },
  };
}

/** What tells models of one file apart. */
async function describe(names: string[]): Promise<string> {
  const main = mainFile(names);
  if (!main) return '';
  const file = await fs.open(path.join(folder, main));
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(Math.min(size, PROPERTIES_BYTES));
    await file.read(end, 0, end.length, size - end.length);
    return `${statedType(end)} ${path.basename(folder)} ${main}`;
  } finally {
    await file.close();
  }
}

const listed = (names: string[]): string => names.toSorted().slice(0, 10).join(', ') || 'it is empty';

type OpenModel = Awaited<ReturnType<typeof openModel>>;

async function hear({ model, recognise }: OpenModel, input: RecogniserInput): Promise<RecogniserReply> {
  const { mp3 } = input;
  const language = knownLanguage(model.kind, input.language);
  const piece = await decodePiece(mp3);
  if (!piece) return { fault: 'sound', message: 'the piece is no MP3' };
  const passages: HeardPassage[] = [];
  const found = new Map<string, number>();
  for (const { startMs, endMs } of piece.spans) {
    const at = (ms: number) => Math.round((ms / 1000) * piece.sampleRate);
    const result = recognise(piece.samples.slice(at(startMs), at(endMs)), piece.sampleRate, language);
    if (isTooLarge()) return { fault: 'memory', message: TOO_LARGE };
    const text = result.text.trim();
    if (text === '') continue;
    passages.push({ startMs, endMs, text, words: wordsOfTokens({ ...(result as Tokens), text }, startMs) });
    const code = /[a-z]{2,3}/.exec(result.lang ?? '')?.[0];
    if (code) found.set(code, (found.get(code) ?? 0) + text.length);
  }
  const spoken = [...found].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;
  return { heard: { language: language ?? spoken, passages }, bytes: process.memoryUsage.rss() };
}

const isTooLarge = (): boolean => process.memoryUsage.rss() > memoryBytes;
const TOO_LARGE = `the model needs more than TRANSCRIBER_MEMORY_MB=${Math.round(memoryBytes / 1_000_000)}`;

const toFault = (error: Error): RecogniserReply => ({ fault: 'answer', message: error.message });

async function run(): Promise<void> {
  // the server that wants the result is gone
  process.on('disconnect', () => process.exit());
  setPriority(NICE);
  await fs.writeFile('/proc/self/oom_score_adj', OOM_SCORE).catch(() => {});
  try {
    const model = await openModel();
    process.on('message', async (input: RecogniserInput) => post(await hear(model, input).catch(toFault)));
    post(isTooLarge() ? { fault: 'setup', message: TOO_LARGE } : { ready: true });
  } catch (error) {
    post({ fault: 'setup', message: (error as Error).message });
  }
}

void run();
