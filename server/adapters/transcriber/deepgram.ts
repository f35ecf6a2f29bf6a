import { z } from 'zod';
import { TranscriberRejected } from '../../base/errors';
import { SECONDS } from '../../base/time';
import { TRANSCRIPTION_LIMITS } from '../../limits/transcription';
import { type EngineCalls, engineCalls } from './engine-call';
import { languageCode } from './language-codes';
import { passagesOfWords, type SpokenWord } from './passages-of-words';
import { firstTerms, type Transcriber } from './port';

/** `key`: null for one's own server without a key. */
export type DeepgramSettings = { url: string; key: string | null; model: string };

const word = z.object({
  word: z.string(),
  start: z.number(),
  end: z.number(),
  confidence: z.number().nullish(),
  punctuated_word: z.string().nullish(),
  speaker: z.number().nullish(),
});
const channel = z.object({
  alternatives: z.array(z.object({ words: z.array(word).nullish() })),
  detected_language: z.string().nullish(),
});
const answer = z.object({ results: z.object({ channels: z.array(channel).min(1) }) });

/** Deepgram's `/v1/listen` for recordings, which tells words, their times and voices at once. */
export function deepgramTranscriber(settings: DeepgramSettings, calls?: EngineCalls): Transcriber {
  const { url, key, model } = settings;
  const engine = calls ?? engineCalls({ url, headers: key ? { authorization: `Token ${key}` } : {} });
  return {
    name: 'deepgram',
    pieceMs: TRANSCRIPTION_LIMITS.voicesPieceMs,
    async hear({ mp3 }, { language, terms, signal }) {
      const asked: Record<string, string> = language ? { language } : { detect_language: 'true' };
      const query = new URLSearchParams({ model, smart_format: 'true', diarize: 'true', ...asked });
      const headers = { 'content-type': 'audio/mpeg' };
      const ask = (hints: string[][]) => {
        const path = `/listen?${new URLSearchParams([...query, ...hints])}`;
        return engine.call({ path, headers, body: () => mp3, signal });
      };
      const hints = hintsOf(model, terms);
      const asking = ask(hints).catch((error) => {
        // not every language takes hints; refused requests cost nothing
        if (hints.length > 0 && error instanceof TranscriberRejected && error.reason === 'sound') return ask([]);
        throw error;
      });
      const parsed = answer.safeParse(await asking);
      if (!parsed.success) throw new TranscriberRejected('answer', 'the answer has another shape');
      const { alternatives, detected_language } = parsed.data.results.channels[0]!;
      const words = (alternatives[0]?.words ?? []).map(toWord);
      return { language: languageCode(detected_language) ?? language, passages: passagesOfWords(words) };
    },
    close: engine.close,
  };
}

/** Nova-3 takes at most 500 tokens of key terms and refuses more; a token of a name has two letters or more. */
const KEY_TERMS = { items: 100, characters: 1000 };
const KEYWORDS = { items: 100, characters: 2000 };

/** Nova-3 takes phrases; the models before it single words. Others, such as Whisper, take neither. */
function hintsOf(model: string, terms: readonly string[]): string[][] {
  if (/^(?:nova-3|flux)/.test(model)) return firstTerms(terms, KEY_TERMS).map((term) => ['keyterm', term]);
  if (!/^(?:nova|enhanced|base)/.test(model)) return [];
  // a colon would begin how much a keyword counts
  const single = terms.filter((term) => /^[^\s:]+$/.test(term));
  return firstTerms(single, KEYWORDS).map((term) => ['keywords', term]);
}

const toWord = ({
  word: plain,
  punctuated_word,
  start,
  end,
  confidence,
  speaker,
}: z.infer<typeof word>): SpokenWord => ({
  text: punctuated_word ?? plain,
  startMs: SECONDS(start),
  endMs: SECONDS(end),
  ...(confidence != null && { confidence }),
  ...(speaker != null && { speaker: String(speaker) }),
});
