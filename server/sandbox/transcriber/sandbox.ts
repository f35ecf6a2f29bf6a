import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { type FoundSpeech, knownSpeech, type Speech } from './known-speech';

/** A piece that was answered: what a paid engine would put on the bill. */
export type HeardPiece = { bytes: number; language: string | null; prompt: string | null; isKnown: boolean };

/** Answers a request in place of the engine; null is its usual answer. */
type SpecialAnswer = () => Promise<Response | null> | Response | null;

export type TranscriberSandbox = {
  /** `http://127.0.0.1:…/v1` */
  url: string;
  key: string;
  model: string;
  /** In order. */
  heard: HeardPiece[];
  /** Seconds that it takes for a second of sound. */
  setPace(pace: number): void;
  /** Answers the next requests by these functions. */
  answerNext(...answers: SpecialAnswer[]): void;
  close(): Promise<void>;
};

const KEY = 'sandbox-transcriber';
const MODEL = 'known-speech';
/** An hour of sound takes a typical engine some minutes. */
const USUAL_PACE = 0.1;

/**
 * A local engine with OpenAI's call for transcriptions. It knows the words of the demo's recordings, and answers no words
 * for all other sounds, because it cannot hear. Forgets everything when the process ends.
 * @param further recordings that it knows, too
 */
export async function openTranscriberSandbox(further: readonly Speech[] = []): Promise<TranscriberSandbox> {
  const files = await Promise.all([
    import('./speech-en.json'),
    import('./speech-es.json'),
    import('./speech-lesson.json'),
  ]);
  const recognise = knownSpeech([...files.map((file) => file.default as unknown as Speech), ...further]);
  const heard: HeardPiece[] = [];
  const answers: SpecialAnswer[] = [];
  let pace = USUAL_PACE;
  const app = new Hono();
  app.post('/v1/audio/transcriptions', async (c) => {
    if (c.req.header('authorization') !== `Bearer ${KEY}`) return c.json(refusal('invalid_api_key'), 401);
    const form = await c.req.formData().catch(() => null);
    const file = form?.get('file');
    if (!(file instanceof File) || form?.get('model') !== MODEL) return c.json(refusal('invalid_request'), 400);
    const special = await answers.shift()?.();
    if (special) return special;
    const mp3 = new Uint8Array(await file.arrayBuffer());
    const found = recognise(mp3);
    await setTimeout((found?.durationMs ?? 0) * pace);
    const textIn = (name: string) => {
      const value = form?.get(name);
      return typeof value === 'string' ? value : null;
    };
    heard.push({
      ...{ bytes: mp3.length, isKnown: found !== null },
      ...{ language: textIn('language'), prompt: textIn('prompt') },
    });
    return c.json(form?.get('response_format') === 'verbose_json' ? toVerbose(found) : { text: textOf(found) });
  });
  const server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // the process may end while nobody needs the engine
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    key: KEY,
    model: MODEL,
    heard,
    setPace(next) {
      pace = next;
    },
    answerNext: (...next) => void answers.push(...next),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const refusal = (code: string) => ({ error: { message: code, type: 'invalid_request_error', param: null, code } });

const textOf = (found: FoundSpeech | null): string => found?.words.map(([text]) => text).join(' ') ?? '';

/** As the engine answers: times in seconds, words without punctuation, and a segment for each sentence. */
function toVerbose(found: FoundSpeech | null) {
  const words = (found?.words ?? []).map(([word, startMs, endMs]) => ({
    word: word.replace(/[.,;:!?¡¿]/g, ''),
    start: startMs / 1000,
    end: endMs / 1000,
  }));
  return {
    task: 'transcribe',
    language: found?.language ?? null,
    duration: (found?.durationMs ?? 0) / 1000,
    text: textOf(found),
    segments: segmentsOf(found?.words ?? []),
    words,
  };
}

function segmentsOf(words: Speech['words']) {
  const sentences: Speech['words'][] = [[]];
  for (const word of words) {
    sentences.at(-1)!.push(word);
    if (/[.!?]$/.test(word[0])) sentences.push([]);
  }
  return sentences
    .filter((sentence) => sentence.length > 0)
    .map((sentence, id) => ({
      id,
      start: sentence[0]![1] / 1000,
      end: sentence.at(-1)![2] / 1000,
      text: ` ${sentence.map(([text]) => text).join(' ')}`,
    }));
}
