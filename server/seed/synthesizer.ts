/** A small wavetable synthesizer that mixes notes into a buffer of samples from -1 to 1. */

export const SAMPLE_RATE = 24_000;
const TABLE = 2048;

/**
 * One cycle of a sum of sines; `partials[n]` is the amplitude of harmonic n+1. The extra last sample saves a modulo.
 */
function wave(...partials: number[]): Float32Array {
  const table = new Float32Array(TABLE + 1);
  for (let i = 0; i <= TABLE; i++) {
    table[i] = partials.reduce((sum, level, n) => sum + level * Math.sin((2 * Math.PI * i * (n + 1)) / TABLE), 0);
  }
  return table;
}

export type Timbre = {
  table: Float32Array;
  attack: number;
  release: number;
  /** Decay rate of a held note, in e-folds per second. */
  decay: number;
};

export const TIMBRES = {
  pad: { table: wave(1, 0.35, 0.2, 0.08, 0.05), attack: 0.7, release: 1.2, decay: 0.05 },
  bass: { table: wave(1, 0.4, 0.1), attack: 0.015, release: 0.12, decay: 0.9 },
  pluck: { table: wave(1, 0.5, 0.22, 0.16, 0.06, 0.04), attack: 0.004, release: 0.3, decay: 3.4 },
  bell: { table: wave(1, 0, 0.28, 0, 0.14, 0, 0.05), attack: 0.003, release: 0.6, decay: 2.1 },
} as const satisfies Record<string, Timbre>;

export type Note = { at: number; seconds: number; midi: number; gain: number };

const frequency = (midi: number) => 440 * 2 ** ((midi - 69) / 12);

/** Mixes a note in; times in seconds. The part past the end of the buffer is dropped. */
export function playNote(into: Float32Array, timbre: Timbre, { at, seconds, midi, gain }: Note): void {
  const start = Math.round(at * SAMPLE_RATE);
  const held = Math.round(seconds * SAMPLE_RATE);
  const end = Math.min(into.length, start + held + Math.round(timbre.release * SAMPLE_RATE));
  const step = (frequency(midi) * TABLE) / SAMPLE_RATE;
  const fade = Math.exp(-timbre.decay / SAMPLE_RATE);
  const rise = 1 / (timbre.attack * SAMPLE_RATE);
  const fall = 1 / (timbre.release * SAMPLE_RATE);
  let phase = 0;
  let level = gain;
  for (let i = start; i < end; i++) {
    const age = i - start;
    let envelope = Math.min(age * rise, 1);
    if (age > held) envelope *= Math.max(0, 1 - (age - held) * fall);
    into[i]! += timbre.table[phase | 0]! * level * envelope;
    level *= fade;
    phase += step;
    if (phase >= TABLE) phase -= TABLE;
  }
}

/** A soft tick of high-passed noise, for the beat. */
export function playTick(into: Float32Array, at: number, gain: number, noise: () => number): void {
  const start = Math.round(at * SAMPLE_RATE);
  const end = Math.min(into.length, start + Math.round(0.06 * SAMPLE_RATE));
  let last = 0;
  for (let i = start; i < end; i++) {
    const white = noise() * 2 - 1;
    into[i]! += (white - last) * gain * Math.exp(-(i - start) / 330);
    last = white;
  }
}

/** A feedback delay. */
export function addEcho(samples: Float32Array, seconds: number, feedback: number): void {
  const delay = Math.round(seconds * SAMPLE_RATE);
  for (let i = delay; i < samples.length; i++) samples[i]! += samples[i - delay]! * feedback;
}

/** Silences a part, in seconds, after a short fade. */
export function muteBetween(samples: Float32Array, from: number, to: number): void {
  const [start, end] = [from, to].map((seconds) => Math.round(seconds * SAMPLE_RATE)) as [number, number];
  const fade = 0.1 * SAMPLE_RATE;
  for (let i = Math.max(0, start); i < Math.min(end, samples.length); i++) {
    samples[i]! *= Math.max(0, 1 - (i - start) / fade);
  }
}

/** Normalizes to `peak` and fades in and out. */
export function finalize(samples: Float32Array, peak: number, fadeSeconds: number): void {
  let loudest = 1e-6;
  for (const sample of samples) if (Math.abs(sample) > loudest) loudest = Math.abs(sample);
  const fade = fadeSeconds * SAMPLE_RATE;
  for (let i = 0; i < samples.length; i++) {
    const edge = Math.min(1, i / (fade / 8), (samples.length - i) / fade);
    samples[i]! *= (peak / loudest) * edge;
  }
}
