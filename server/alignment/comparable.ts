import { FEATURE_SIZE, type Features } from '../audio/speech-features';
import type { Sequence } from './find-path';

/** Limits what a single coefficient of a single step can mean: clicks and digital silence are far outside. */
const FARTHEST = 3;
/** Energy tells words from pauses better than any other coefficient. */
const ENERGY_WEIGHT = 1.2;

/** Features with the same mean and spread for every voice and microphone. */
export function normalizedFeatures(features: Features): Sequence {
  const { frames, values } = features;
  const isLoud = loudSteps(features);
  const normalized = new Float32Array(frames * FEATURE_SIZE);
  for (let k = 0; k < FEATURE_SIZE; k++) {
    const { mean, spread } = spreadOf(values, k, isLoud);
    const weight = (k === 0 ? ENERGY_WEIGHT : 1) / spread;
    for (let at = k; at < normalized.length; at += FEATURE_SIZE)
      normalized[at] = Math.max(-FARTHEST, Math.min(FARTHEST, (values[at]! - mean) * weight));
  }
  return { steps: frames, values: normalized };
}

function spreadOf(values: Float32Array, k: number, isCounted: Uint8Array): { mean: number; spread: number } {
  let [count, sum, squares] = [0, 0, 0];
  for (let i = 0; i < isCounted.length; i++) {
    if (isCounted[i] === 0) continue;
    const value = values[i * FEATURE_SIZE + k]!;
    count += 1;
    sum += value;
    squares += value * value;
  }
  if (count === 0) return { mean: 0, spread: 1 };
  const mean = sum / count;
  return { mean, spread: Math.sqrt(Math.max(1e-9, squares / count - mean * mean)) };
}

/** Which steps are loud enough for speech: pauses would make means depend on how often somebody pauses. */
function loudSteps({ frames, values }: Features): Uint8Array {
  const energies = Float32Array.from({ length: frames }, (_, i) => values[i * FEATURE_SIZE]!);
  const sorted = energies.slice().sort();
  const [quiet, loud] = [sorted[Math.floor(frames * 0.02)] ?? 0, sorted[Math.floor(frames * 0.95)] ?? 0];
  const bound = Math.max(quiet + 0.35 * (loud - quiet), loud - 25);
  return Uint8Array.from(energies, (energy) => (energy > bound ? 1 : 0));
}

/** Means of several steps each. */
export function reduced({ steps, values }: Sequence, by: number): Sequence {
  const count = Math.ceil(steps / by);
  const means = new Float32Array(count * FEATURE_SIZE);
  for (let i = 0; i < count; i++) {
    const end = Math.min(steps, (i + 1) * by);
    for (let k = 0; k < FEATURE_SIZE; k++) {
      let sum = 0;
      for (let from = i * by; from < end; from++) sum += values[from * FEATURE_SIZE + k]!;
      means[i * FEATURE_SIZE + k] = sum / (end - i * by);
    }
  }
  return { steps: count, values: means };
}

const SAMPLES = 200;

/**
 * What a step of the sound costs outside of all words: the distance that this share of the speech's steps are below. A
 * word that is said fits better than that, and other sounds fit worse, whatever the microphone.
 */
export function otherCosts(sound: Sequence, speech: Sequence, share: number): Float32Array {
  const count = Math.min(SAMPLES, speech.steps);
  const samples = new Float32Array(count * FEATURE_SIZE);
  for (let s = 0; s < count; s++) {
    const from = Math.floor((s * speech.steps) / count) * FEATURE_SIZE;
    samples.set(speech.values.subarray(from, from + FEATURE_SIZE), s * FEATURE_SIZE);
  }
  const squares = new Float32Array(count);
  return Float32Array.from({ length: sound.steps }, (_, i) => {
    for (let s = 0; s < count; s++) {
      let sum = 0;
      for (let k = 0; k < FEATURE_SIZE; k++) {
        const difference = sound.values[i * FEATURE_SIZE + k]! - samples[s * FEATURE_SIZE + k]!;
        sum += difference * difference;
      }
      squares[s] = sum;
    }
    squares.sort();
    return Math.sqrt(squares[Math.floor(count * share)]!);
  });
}
