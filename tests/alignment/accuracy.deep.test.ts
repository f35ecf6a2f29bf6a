import { expect, test } from 'vitest';
import english from '~/locales/en/errors.json';
import spanish from '~/locales/es/errors.json';
import { espeak } from '~/server/adapters/speech/espeak';
import { markedVolume, plainVolume, spansOfWords } from '~/server/alignment/marked-speech';
import { spokenWord } from '~/server/alignment/script';
import { timeInThread } from '~/server/alignment/time-in-thread';
import { encodeMp3 } from '~/server/audio/encode-mp3';
import { recordingOf } from '../support/decoding';
import { toolPath } from '../support/tools';

/**
 * Real sentences, spoken by other voices than the one with which they are compared. Each case leaves out a tenth of the
 * sentences of the text, adds as many that it lacks, and is compressed. Times are those of the voice that speaks.
 */
const program = toolPath('espeak-ng');
const speech = espeak(program ?? '');

type Case = {
  name: string;
  texts: Record<string, string>;
  language: string;
  voice: string;
  minutes: number;
  noise: number;
  kbps: number;
};

test.skipIf(program === null).each<Case>([
  { name: 'English, a woman', texts: english, language: 'en', voice: 'en-gb+f3', minutes: 10, noise: 0, kbps: 128 },
  { name: 'English in noise', texts: english, language: 'en', voice: 'en-gb+m4', minutes: 10, noise: 0.02, kbps: 48 },
  { name: 'Spanish in noise', texts: spanish, language: 'es', voice: 'es-419+f2', minutes: 10, noise: 0.02, kbps: 48 },
  { name: 'Spanish, an hour', texts: spanish, language: 'es', voice: 'es-419+m3', minutes: 60, noise: 0.01, kbps: 64 },
])('half of the words are within 50 ms, and 95 % within 500 ms: $name', async (given) => {
  const { text, said, isSaid } = scriptOf(given);
  const { samples, sampleRate, starts } = await speakAs(given.voice, said.flat());
  const mp3 = await encodeMp3(
    { sampleRate, channels: [withNoise(samples, given.noise)] },
    { version: 2, sampleRate, channels: 1, kbps: given.kbps },
  );
  const sentences = text.map((words) => ({ speaker: null, text: words.join(' '), words }));
  const voice = (await speech.findVoice(given.language))!;

  const recording = await recordingOf('a', Buffer.from(mp3));
  const cues = await timeInThread(
    recording,
    { sentences, speak: (words) => speech.speak(words, voice) },
    async () => {},
  );

  const at = new Map<string[], number>();
  let before = 0;
  for (const words of said) {
    at.set(words, before);
    before += words.length;
  }
  const errors = text
    .flatMap((words, i) =>
      isSaid[i] ? words.map((__, k) => [cues[i]!.words![k]![0], starts[at.get(words)! + k]!]) : [],
    )
    .map(([found, expected]) => Math.abs(found! - expected! - ENCODER_DELAY_MS))
    .sort((a, b) => a - b);
  const quantile = (share: number) => Math.round(errors[Math.floor((errors.length - 1) * share)]!);
  const missing = cues.filter((__, i) => !isSaid[i]);
  expect(quantile(0.5)).toBeLessThanOrEqual(50);
  expect(quantile(0.95)).toBeLessThanOrEqual(500);
  expect(missing.filter((cue) => cue.confidence! < 0.5).length).toBeGreaterThan(0.7 * missing.length);
});

/** LAME puts it before the sound, and our decoder keeps it. */
const ENCODER_DELAY_MS = 50;
const WORDS_PER_MINUTE = 150;

function scriptOf({ texts, minutes }: Case) {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return seed / 2 ** 32;
  };
  const sentences = Object.values(texts)
    .filter((sentence) => !sentence.includes('{{'))
    .map((sentence) => sentence.split(/\s+/).filter((word) => spokenWord(word) !== null))
    .filter((words) => words.length > 2);
  const [text, said, isSaid]: [string[][], string[][], boolean[]] = [[], [], []];
  for (let words = 0; words < minutes * WORDS_PER_MINUTE; words += text.at(-1)!.length) {
    const sentence = [...sentences[Math.floor(random() * sentences.length)]!];
    if (random() < 0.1) said.push([...sentences[Math.floor(random() * sentences.length)]!]);
    text.push(sentence);
    isSaid.push(random() >= 0.1);
    if (isSaid.at(-1)) said.push(sentence);
  }
  return { text, said, isSaid };
}

async function speakAs(voice: string, words: string[]) {
  const parts: Float32Array[] = [];
  const starts: number[] = [];
  let [length, sampleRate] = [0, 22_050];
  for (let from = 0; from < words.length; from += 400) {
    const part = words.slice(from, from + 400).map((word) => spokenWord(word)!);
    const [plain, marked] = await Promise.all(
      [plainVolume, markedVolume].map((volumeOf) =>
        speech.speak(
          part.map((text, i) => ({ text, volume: volumeOf(i) })),
          voice,
        ),
      ),
    );
    sampleRate = plain!.sampleRate;
    for (const [start] of spansOfWords(plain!.samples, marked!.samples, part.length))
      starts.push((1000 * (length + start)) / sampleRate);
    parts.push(Float32Array.from(plain!.samples, (sample) => sample / 32_768));
    length += plain!.samples.length;
  }
  const samples = new Float32Array(length);
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return { samples, sampleRate, starts };
}

function withNoise(samples: Float32Array, level: number): Float32Array {
  let state = 3;
  return samples.map((sample) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return sample + level * (state / 2 ** 31 - 1);
  });
}
