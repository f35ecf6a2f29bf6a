import { expect, test } from 'vitest';
import { alignSound } from '~/server/alignment/align-sound';
import type { Sentence } from '~/server/alignment/script';
import { timedCues } from '~/server/alignment/timed-cues';
import { FEATURES_PER_SECOND, featureMeter } from '~/server/audio/speech-features';
import type { TimedCue } from '~/server/transcript/model';
import { TOY_RATE, type ToySpeech, type ToyVoice, toySpeech, toyWords } from '../support/toy-voice';

const OTHER_VOICE: ToyVoice = { letter: 0.1, pitch: 1.06 };
const words = toyWords(160);
const tenth = (from: number, to: number) => words.slice(from * 10, to * 10);

test('words are found in another voice, at another speed, in noise', () => {
  const said = toySpeech(words, OTHER_VOICE);

  const cues = align(withNoise(said.samples), words);

  expect(
    spreadOf(
      cues.flatMap((cue) => cue.words!),
      said.spans,
    ),
  ).toEqual({ median: true, most: true });
  expect(Math.min(...cues.map((cue) => cue.confidence!))).toBeGreaterThan(0.6);
});

test('sentences that were never said are marked, and the others keep their times', () => {
  const said = toySpeech([...tenth(0, 6), ...tenth(8, 16)], OTHER_VOICE);

  const cues = align(said.samples, words);

  expect(cues.slice(6, 8).every((cue) => cue.confidence! < 0.5)).toBe(true);
  const others = [...cues.slice(0, 6), ...cues.slice(8)];
  expect(
    spreadOf(
      others.flatMap((cue) => cue.words!),
      said.spans,
    ),
  ).toEqual({ median: true, most: true });
});

test('remarks and music that the text lacks move nothing', () => {
  const music = Float32Array.from(
    { length: 3 * TOY_RATE },
    (_, i) => 0.2 * Math.sin((2 * Math.PI * i * 440) / TOY_RATE),
  );
  const [start, remark, end] = [tenth(0, 8), toyWords(20, 99), tenth(8, 16)];
  const said = toySpeech([...start, ...remark, ...end], OTHER_VOICE);

  const cues = align(joined(music, said.samples), words);

  const expected = [...said.spans.slice(0, 80), ...said.spans.slice(100)].map(([from, to]) => [
    from + 3_000,
    to + 3_000,
  ]);
  expect(
    spreadOf(
      cues.flatMap((cue) => cue.words!),
      expected as ToySpeech['spans'],
    ),
  ).toEqual({ median: true, most: true });
});

test('a text of another recording is trusted far less', () => {
  const other = align(toySpeech(toyWords(100, 5), OTHER_VOICE).samples, tenth(0, 10));
  const own = align(toySpeech(tenth(0, 10), OTHER_VOICE).samples, tenth(0, 10));

  const trustOf = (cues: TimedCue[]) => cues.reduce((sum, cue) => sum + cue.confidence!, 0) / cues.length;
  expect(trustOf(own) - trustOf(other)).toBeGreaterThan(0.3);
  expect(other.every((cue, i) => i === 0 || cue.startMs >= other[i - 1]!.startMs)).toBe(true);
});

test('times stay within the sound and in order', () => {
  const said = toySpeech(tenth(5, 12), OTHER_VOICE);

  const times = align(said.samples, words).flatMap((cue) => cue.words!.flat());

  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(Math.max(...times)).toBeLessThanOrEqual((1000 * said.samples.length) / TOY_RATE + 20);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
});

function align(samples: Float32Array, text: string[]): TimedCue[] {
  const spoken = toySpeech(text);
  const toStep = (ms: number) => Math.round((ms / 1000) * FEATURES_PER_SECOND);
  const spans = spoken.spans.map(([from, to]): [number, number] => [toStep(from), toStep(to)]);
  const aligned = alignSound(featuresOf(samples), { features: featuresOf(spoken.samples), spans });
  const sentences = Array.from({ length: text.length / 10 }, (_, i): Sentence => {
    const own = text.slice(i * 10, i * 10 + 10);
    return { speaker: null, text: own.join(' '), words: own };
  });
  return timedCues(sentences, { spoken: text.map(() => true), spans }, aligned);
}

function featuresOf(samples: Float32Array) {
  const meter = featureMeter(TOY_RATE);
  // in uneven pieces, as a decoder returns them
  for (let at = 0; at < samples.length; at += 1777) meter.add(samples.subarray(at, at + 1777));
  return meter.done();
}

/** Whether half of the words begin within 50 ms, and 95 % within 500 ms. */
function spreadOf(found: [number, number][], expected: [number, number][]) {
  const errors = expected.map(([startMs], i) => Math.abs(found[i]![0] - startMs)).sort((a, b) => a - b);
  expect(found).toHaveLength(expected.length);
  return { median: errors[errors.length >> 1]! <= 50, most: errors[Math.floor(errors.length * 0.95)]! <= 500 };
}

function joined(...parts: Float32Array[]): Float32Array {
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

function withNoise(samples: Float32Array): Float32Array {
  let state = 7;
  return samples.map((sample) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return sample + 0.02 * (state / 2 ** 31 - 1);
  });
}
