import { FormData } from 'undici';
import { z } from 'zod';
import { TranscriberRejected } from '../../base/errors';
import { SECONDS } from '../../base/time';
import type { Heard, HeardPassage, HeardWord } from '../../transcript/heard';
import { type EngineCalls, engineCalls } from './engine-call';
import { languageCode } from './language-codes';
import { firstTerms, type Hearing, pieceMsOf, type SoundPiece, type Transcriber } from './port';

/** `isTimed`: false for models that answer text without times (`json`). */
export type DriverSettings = { url: string; key: string | null; model: string; isTimed: boolean };

const word = z.object({ word: z.string(), start: z.number(), end: z.number(), probability: z.number().optional() });
const segment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  avg_logprob: z.number().nullish(),
  no_speech_prob: z.number().nullish(),
  /** whisper.cpp and faster-whisper put the words here. */
  words: z.array(word).nullish(),
});
const answer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(segment).nullish(),
  words: z.array(word).nullish(),
});
type Answer = z.infer<typeof answer>;
type Segment = z.infer<typeof segment>;

/** OpenAI's `/v1/audio/transcriptions`, which whisper.cpp, speaches, LocalAI and others answer too. */
export function openAiTranscriber(settings: DriverSettings, calls?: EngineCalls): Transcriber {
  const { url, key, isTimed } = settings;
  const engine = calls ?? engineCalls({ url, headers: key ? { authorization: `Bearer ${key}` } : {} });
  return {
    name: 'openai',
    pieceMs: pieceMsOf(isTimed),
    async hear(piece, { language, terms, signal }) {
      const body = () => formOf(piece, { language, terms }, settings);
      const parsed = answer.safeParse(await engine.call({ path: '/audio/transcriptions', body, signal }));
      if (!parsed.success) throw new TranscriberRejected('answer', 'the answer has another shape');
      return toHeard(parsed.data, piece.durationMs);
    },
    close: engine.close,
  };
}

/** Whisper reads the last 224 tokens of a prompt, which is not meant to have more. A token has three letters or so. */
const PROMPT = { items: 200, characters: 600 };

type Wishes = Pick<Hearing, 'language' | 'terms'>;

function formOf({ mp3 }: SoundPiece, { language, terms }: Wishes, { model, isTimed }: DriverSettings): FormData {
  const form = new FormData();
  form.append('file', new Blob([mp3], { type: 'audio/mpeg' }), 'piece.mp3');
  form.append('model', model);
  form.append('response_format', isTimed ? 'verbose_json' : 'json');
  if (isTimed) for (const unit of ['word', 'segment']) form.append('timestamp_granularities[]', unit);
  if (language) form.append('language', language);
  const prompt = firstTerms(terms, PROMPT).join(', ');
  // models that tell voices apart refuse prompts
  if (prompt !== '' && !model.includes('diarize')) form.append('prompt', prompt);
  return form;
}

function toHeard({ text, language, segments, words }: Answer, durationMs: number): Heard {
  const known = languageCode(language);
  if (!segments?.length) {
    const whole: HeardPassage = { startMs: 0, endMs: durationMs, text, words: (words ?? []).map(toWord) };
    return { language: known, passages: text.trim() === '' ? [] : [whole] };
  }
  const all = (words ?? []).map(toWord);
  const passages = segments.filter((part) => !isSilence(part)).map((part) => toPassage(part, all));
  return { language: known, passages };
}

/** In silence, Whisper makes sentences up. These are the bounds by which it recognises them itself. */
const isSilence = ({ no_speech_prob, avg_logprob }: Segment): boolean =>
  (no_speech_prob ?? 0) > 0.6 && (avg_logprob ?? 0) < -1;

function toPassage({ start, end, text, words }: Segment, all: HeardWord[]): HeardPassage {
  const [startMs, endMs] = [SECONDS(start), SECONDS(end)];
  const own = words?.map(toWord) ?? all.filter((heard) => isIn(heard, startMs, endMs));
  return { startMs, endMs, text, words: own };
}

/** A word belongs to the segment in which its middle is. */
function isIn(heard: HeardWord, startMs: number, endMs: number): boolean {
  const middle = (heard.startMs + heard.endMs) / 2;
  return middle >= startMs && middle < endMs;
}

const toWord = ({ word: text, start, end, probability }: z.infer<typeof word>): HeardWord => ({
  text,
  startMs: SECONDS(start),
  endMs: SECONDS(end),
  ...(probability !== undefined && { confidence: probability }),
});
