import type { Speak } from '~/server/alignment/time-in-thread';

/** How somebody speaks: seconds per letter, and how high. */
export type ToyVoice = { letter?: number; pitch?: number };
export type ToySpeech = { samples: Float32Array; sampleRate: number; spans: [startMs: number, endMs: number][] };

export const TOY_RATE = 16_000;
const PAUSE_SECONDS = 0.35;
const GAP_SECONDS = 0.02;

/**
 * A synthesiser of a few lines, so that tests need no program: each letter has its own two tones, whatever the voice. A
 * pause follows each word with a full stop. `volumes`: of each word, 1 by default.
 */
export function toySpeech(
  words: string[],
  { letter = 0.08, pitch = 1 }: ToyVoice = {},
  volumes: number[] = [],
): ToySpeech {
  const parts: Float32Array[] = [];
  const spans: ToySpeech['spans'] = [];
  let length = 0;
  const add = (part: Float32Array) => {
    parts.push(part);
    length += part.length;
  };
  for (const [i, word] of words.entries()) {
    const from = length;
    for (const sign of word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
      add(tonesOf(sign, letter, pitch, volumes[i] ?? 1));
    spans.push([(1000 * from) / TOY_RATE, (1000 * length) / TOY_RATE]);
    add(new Float32Array(Math.round(TOY_RATE * (word.endsWith('.') ? PAUSE_SECONDS : GAP_SECONDS))));
  }
  const samples = new Float32Array(length);
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return { samples, sampleRate: TOY_RATE, spans };
}

function tonesOf(sign: string, seconds: number, pitch: number, volume: number): Float32Array {
  const code = sign.codePointAt(0)!;
  const [first, second] = [(250 + ((code * 97) % 700)) * pitch, (1100 + ((code * 211) % 2400)) * pitch];
  const count = Math.round(TOY_RATE * seconds);
  return Float32Array.from({ length: count }, (_, i) => {
    const edge = Math.min(1, i / 80, (count - i) / 80);
    const angle = (2 * Math.PI * i) / TOY_RATE;
    return volume * edge * (0.25 * Math.sin(angle * first) + 0.15 * Math.sin(angle * second));
  });
}

/** The toy voice in place of a program. */
export const toySpeak: Speak = async (words) => {
  const volumes = words.map(({ volume }) => volume / 100);
  const { samples, sampleRate } = toySpeech(
    words.map(({ text }) => text),
    {},
    volumes,
  );
  return { samples: Int16Array.from(samples, (sample) => Math.round(sample * 32_767)), sampleRate };
};

/** Words that nobody has chosen, the same for each seed; ten make a sentence. */
export function toyWords(count: number, seed = 1): string[] {
  let state = seed;
  const next = (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const word = () => Array.from({ length: 2 + next(7) }, () => letters[next(letters.length)]).join('');
  return Array.from({ length: count }, (_, i) => {
    if (i % 10 === 9) return `${word()}.`;
    return i % 10 === 0 ? word().replace(/^./, (letter) => letter.toUpperCase()) : word();
  });
}
