import type { HeardWord } from '../transcript/heard';
import { wordsOf } from '../transcript/words';

/** What a model says about a part of a sound. Times in seconds; models without times answer none. */
export type Tokens = {
  text: string;
  tokens?: string[];
  timestamps?: number[];
  durations?: number[];
  /** Logarithms of how probable the model found each token. */
  ys_log_probs?: number[];
};

type Group = { first: number; last: number };

/** A token is a syllable or so: it is said for about as long where the model does not tell. */
const TOKEN_MS = 300;

/**
 * The words of a text by the times of its tokens; times in milliseconds from `startMs` on. Empty if the model tells no
 * times, or if its tokens are not the words of its text.
 */
export function wordsOfTokens(heard: Tokens, startMs: number): HeardWord[] {
  const { text, tokens = [], timestamps = [] } = heard;
  const words = wordsOf(text);
  if (tokens.length === 0 || timestamps.length !== tokens.length || !timestamps.every(Number.isFinite)) return [];
  const groups = bySpaces(tokens, words) ?? byLengths(tokens, words);
  return (groups ?? []).map((group, i) => {
    const next = groups![i + 1];
    const said = endOf(heard, group.last);
    const endMs = next ? Math.min(said, timestamps[next.first]! * 1000) : said;
    const from = timestamps[group.first]! * 1000;
    return {
      text: words[i]!,
      startMs: startMs + from,
      endMs: startMs + Math.max(from, endMs),
      ...confidenceOf(heard, group),
    };
  });
}

function endOf({ timestamps = [], durations = [] }: Tokens, token: number): number {
  const duration = durations.length === timestamps.length ? durations[token]! : 0;
  return timestamps[token]! * 1000 + (duration > 0 ? duration * 1000 : TOKEN_MS);
}

function confidenceOf({ tokens = [], ys_log_probs: logs = [] }: Tokens, { first, last }: Group) {
  if (logs.length !== tokens.length) return {};
  const own = logs.slice(first, last + 1);
  const confidence = Math.exp(own.reduce((sum, log) => sum + log, 0) / own.length);
  return Number.isFinite(confidence) ? { confidence: Math.min(1, confidence) } : {};
}

/** Most models mark where a word begins. Null unless there are as many marks as words. */
function bySpaces(tokens: string[], words: string[]): Group[] | null {
  const groups: Group[] = [];
  for (const [i, token] of tokens.entries()) {
    const group = groups.at(-1);
    const isFirst = /^[\s▁]/.test(token) && lettersOf(tokens.slice(group?.first ?? 0, i).join('')) !== '';
    if (group && !isFirst) group.last = i;
    else groups.push({ first: i, last: i });
  }
  return groups.length === words.length ? groups : null;
}

/** Others only have the letters. Null unless tokens and words have as many. */
function byLengths(tokens: string[], words: string[]): Group[] | null {
  const lengths = tokens.map((token) => lettersOf(token).length);
  const wanted = words.map((word) => word.length);
  const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
  if (sum(lengths) !== sum(wanted)) return null;
  const groups: Group[] = [];
  let [token, missing] = [0, 0];
  for (const length of wanted) {
    const first = token;
    missing += length;
    while (missing > 0) missing -= lengths[token++]!;
    // a token that ends in the next word belongs to both
    groups.push({ first: Math.min(first, token - 1), last: token - 1 });
  }
  return groups;
}

/** Without the marks of words (▁, a space) and of parts that continue (@@). */
const lettersOf = (token: string): string => token.replace(/@@$|[\s▁]/g, '');
