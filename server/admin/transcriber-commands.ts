import { timeOf } from '../audio/frame-header';
import { indexMp3 } from '../audio/indexing';
import { TranscriberRejected, TranscriberUnavailable } from '../base/errors';
import { TRANSCRIPTION_LIMITS } from '../limits/transcription';
import type { Speech } from '../sandbox/transcriber/known-speech';
import { wordsOf } from '../transcript/words';
import { type Command, type CommandGroup, type CommandOptions, factsOf, UsageError } from './command';

/** Sends a spoken recording of the demo to the engine. Says what the engine heard, and how fast. */
const check: Command = {
  usage: 'check [--language en|es]',
  options: ['language'],
  async run({ ctx }, args, options) {
    if (args.length > 0) throw new UsageError('expected no arguments');
    const { transcriber } = ctx.ports;
    if (!transcriber) throw new UsageError('no engine is set up: set TRANSCRIBER (docs/transcription.md)');
    const { language, mp3, durationMs } = await recordingIn(options);
    const began = performance.now();
    const heard = await transcriber
      .hear(
        { mp3, durationMs },
        {
          language: options.language === undefined ? null : language,
          terms: [],
          signal: AbortSignal.timeout(TRANSCRIPTION_LIMITS.pieceFor),
          order: null,
          onOrder: async () => {},
        },
      )
      .catch((error) => {
        throw problemOf(transcriber.name, error);
      });
    const seconds = (performance.now() - began) / 1000;
    const own = await transcriber.usedMemory?.();
    const text = heard.passages.map((passage) => passage.text.trim()).join(' ');
    if (text === '')
      throw new UsageError(`${transcriber.name} answers, but heard no words in the ${language} recording`);
    return factsOf({
      engine: transcriber.name,
      language: heard.language,
      words: wordsOf(text).length,
      'words with times': heard.passages.reduce((sum, { words }) => sum + words.length, 0),
      'seconds of sound': rounded(durationMs / 1000),
      'seconds it took': rounded(seconds),
      'times real time': rounded(durationMs / 1000 / seconds),
      'memory of this process in MB': megabytes(process.memoryUsage.rss()),
      ...(own && { 'memory of the engine in MB': megabytes(own) }),
      text,
    });
  },
};

async function recordingIn({ language = 'en' }: CommandOptions) {
  if (language !== 'en' && language !== 'es') throw new UsageError('--language is en or es');
  const file = language === 'en' ? await import('../sandbox/transcriber/speech-en.json') : await SPANISH();
  const mp3 = Uint8Array.from(Buffer.from((file.default as unknown as Speech).mp3, 'base64'));
  const read = async (into: Uint8Array, position: number) => {
    const part = mp3.subarray(position, position + into.length);
    into.set(part);
    return part.length;
  };
  const indexed = await indexMp3({ size: mp3.length, read });
  if (!indexed.ok) throw new Error('the recording of the demo is damaged');
  return { language, mp3, durationMs: timeOf(indexed.index, indexed.index.frames) };
}
const SPANISH = () => import('../sandbox/transcriber/speech-es.json');

const REASONS = {
  account: 'it refuses the key, or the account has no money',
  sound: 'it cannot read the recording; check TRANSCRIBER_URL and TRANSCRIBER_MODEL',
  answer: 'its answer has another shape; check TRANSCRIBER_URL and TRANSCRIBER_TIMES',
  setup: 'it cannot start',
};

function problemOf(name: string, error: unknown): unknown {
  if (error instanceof TranscriberRejected)
    return new UsageError(`${name}: ${REASONS[error.reason]} (${error.message})`);
  if (error instanceof TranscriberUnavailable)
    return new UsageError(`${name} is away, or has no room: ${error.message}`);
  return error;
}

const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);
const rounded = (value: number): number => Math.round(10 * value) / 10;

export const transcriberCommands: CommandGroup = { check };
