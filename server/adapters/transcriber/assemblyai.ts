import { z } from 'zod';
import { TranscriberRejected, TranscriberUnavailable } from '../../base/errors';
import { SECONDS } from '../../base/time';
import { TRANSCRIPTION_LIMITS } from '../../limits/transcription';
import type { Heard } from '../../transcript/heard';
import { type EngineCalls, engineCalls } from './engine-call';
import { languageCode } from './language-codes';
import { passagesOfWords, type SpokenWord } from './passages-of-words';
import { firstTerms, type Hearing, type SoundPiece, type Transcriber } from './port';

/** `models`: in the order in which they are tried; empty for the service's own choice. */
export type AssemblyAiSettings = { url: string; key: string; models: string[] };

const POLL_EVERY = SECONDS(3);

const upload = z.object({ upload_url: z.string() });
const word = z.object({
  text: z.string(),
  // milliseconds
  start: z.number(),
  end: z.number(),
  confidence: z.number().nullish(),
  speaker: z.string().nullish(),
});
const order = z.object({
  id: z.string().regex(/^[\w-]{1,100}$/),
  status: z.enum(['queued', 'processing', 'completed', 'error']),
  error: z.string().nullish(),
  language_code: z.string().nullish(),
  words: z.array(word).nullish(),
});
type Order = z.infer<typeof order>;

/** AssemblyAI keeps orders: a piece is uploaded, ordered, and asked for until it is ready. */
export function assemblyAiTranscriber(settings: AssemblyAiSettings, calls?: EngineCalls): Transcriber {
  const { url, key } = settings;
  const engine = calls ?? engineCalls({ url, headers: { authorization: key } });
  return {
    name: 'assemblyai',
    pieceMs: TRANSCRIPTION_LIMITS.voicesPieceMs,
    async hear(piece, how) {
      const former = how.order === null ? null : await lookupOrder(engine, how.order, how.signal);
      const placed = former ?? (await placeOrder(engine, { piece, how, models: settings.models }));
      return toHeard(await settled(engine, placed, how.signal), how.language);
    },
    close: engine.close,
  };
}

/** Null for an order that the service has deleted, or that has failed: failed orders cost nothing. */
async function lookupOrder(engine: EngineCalls, id: string, signal: AbortSignal): Promise<Order | null> {
  try {
    const found = read(order, await engine.call({ path: `/transcript/${id}`, method: 'GET', signal }));
    return found.status === 'error' && !isSilent(found) ? null : found;
  } catch (error) {
    if (error instanceof TranscriberRejected && error.reason === 'sound') return null;
    throw error;
  }
}

type NewOrder = { piece: SoundPiece; how: Hearing; models: string[] };

async function placeOrder(engine: EngineCalls, { piece, how, models }: NewOrder): Promise<Order> {
  const { language, terms, signal } = how;
  const headers = { 'content-type': 'application/octet-stream' };
  const sent = await engine.call({ path: '/upload', headers, body: () => piece.mp3, signal });
  const wish = {
    audio_url: read(upload, sent).upload_url,
    ...(language ? { language_code: language } : { language_detection: true }),
    ...(models.length > 0 && { speech_models: models }),
  };
  const create = async (fields: object) => {
    const body = () => JSON.stringify(fields);
    const request = { path: '/transcript', headers: { 'content-type': 'application/json' }, body, signal };
    return read(order, await engine.call(request));
  };
  const voices = { speaker_labels: true };
  const phrases = phrasesOf(terms);
  // hints and voices do not work in every language and model; refused orders cost nothing
  const wishes = [
    ...(phrases.length > 0 ? [{ ...wish, ...voices, keyterms_prompt: phrases }] : []),
    { ...wish, ...voices },
  ];
  const placed = await firstAccepted([...wishes, wish], create);
  await how.onOrder(placed.id);
  return placed;
}

/** A phrase has at most six words. Models before Universal-3 take 200 phrases. */
const PHRASES = { items: 200, characters: 10_000 };
const phrasesOf = (terms: readonly string[]): string[] =>
  firstTerms(
    terms.filter((term) => term.split(/\s+/).length <= 6),
    PHRASES,
  );

/** Leaves out wishes, from the most demanding on, while the service refuses the order because of its content. */
async function firstAccepted(wishes: object[], create: (wish: object) => Promise<Order>): Promise<Order> {
  const [wish = {}, ...others] = wishes;
  return create(wish).catch((error) => {
    const isRefused = error instanceof TranscriberRejected && error.reason === 'sound';
    if (isRefused && others.length > 0) return firstAccepted(others, create);
    throw error;
  });
}

async function settled(engine: EngineCalls, placed: Order, signal: AbortSignal): Promise<Order> {
  let now = placed;
  while (now.status === 'queued' || now.status === 'processing') {
    await engine.wait(POLL_EVERY, signal);
    now = read(order, await engine.call({ path: `/transcript/${placed.id}`, method: 'GET', signal }));
  }
  return now;
}

function toHeard(done: Order, chosen: string | null): Heard {
  if (isSilent(done)) return { language: null, passages: [] };
  if (done.status === 'error') throw failureOf(done);
  const words = (done.words ?? []).map(toWord);
  return { language: languageCode(done.language_code) ?? chosen, passages: passagesOfWords(words) };
}

/** The service finds no language where nobody speaks. */
const isSilent = ({ status, error }: Order): boolean => status === 'error' && /no spoken audio/i.test(error ?? '');

/** Its text may name addresses of files, so it is not logged. */
const failureOf = ({ error }: Order): Error =>
  /server error|try again|retry/i.test(error ?? '')
    ? new TranscriberUnavailable('the order failed')
    : new TranscriberRejected('sound', 'the order failed');

const toWord = ({ text, start, end, confidence, speaker }: z.infer<typeof word>): SpokenWord => ({
  ...{ text, startMs: start, endMs: end },
  ...(confidence != null && { confidence }),
  ...(speaker != null && { speaker }),
});

function read<T>(shape: z.ZodType<T>, answer: unknown): T {
  const parsed = shape.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new TranscriberRejected('answer', 'the answer has another shape');
}
