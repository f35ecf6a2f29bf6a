import { seededInts } from './seeded-ints';

/** Test audio: the same in every run, with pauses as in speech, and complex enough to need a full bit rate. */
export function sound(seconds: number, sampleRate: number, seed = 1): Float32Array {
  const samples = new Float32Array(Math.round(seconds * sampleRate));
  const roll = seededInts(seed);
  const pitch = 110 + 17 * (seed % 11);
  for (let i = 0; i < samples.length; i++) {
    const t = i / sampleRate;
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 3.1 * t + seed)) ** 0.5;
    const speaks = t % 1.9 < 1.4 ? 1 : 0;
    let tone = 0;
    for (let n = 1; n <= 6; n++) tone += Math.sin(2 * Math.PI * pitch * n * t * (1 + 0.01 * Math.sin(5 * t))) / n;
    samples[i] = speaks * syllable * (0.16 * tone + 0.05 * (roll(2 ** 32) / 2 ** 31 - 1));
  }
  return samples;
}

/** Audio with two different channels. */
export function stereo(seconds: number, sampleRate: number, seed = 1): Float32Array[] {
  const left = sound(seconds, sampleRate, seed);
  const other = sound(seconds, sampleRate, seed + 5);
  return [left, left.map((x, i) => 0.7 * x + 0.3 * other[i]!)];
}
