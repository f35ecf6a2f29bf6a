import { STEPS_PER_SECOND, type Step, stepMeter } from './sound-steps';

/** Integrated loudness according to ITU-R BS.1770-4, measured on a stream. */
export type LoudnessMeter = {
  add(channels: Float32Array[]): void;
  /** In LUFS; null if everything was silent. */
  integrated(): number | null;
  /** The highest sample so far, relative to full scale. */
  peak(): number;
};

/** Blocks of 400 ms, starting every 100 ms. */
const STEPS_PER_BLOCK = (STEPS_PER_SECOND * 4) / 10;
const STEPS_BETWEEN = STEPS_PER_SECOND / 10;
const ABSOLUTE_GATE = -70;
const RELATIVE_GATE = -10;
const OFFSET = -0.691;

export function loudnessMeter(sampleRate: number, channels: 1 | 2): LoudnessMeter {
  const { add, whole, all } = stepMeter(sampleRate, channels);
  return { add, integrated: () => integratedLoudness(whole, sampleRate), peak: () => highestOf(all()) };
}

/** In LUFS, of complete steps; null if all are silent. */
export function integratedLoudness(steps: Step[], sampleRate: number): number | null {
  const audible = blocksOf(steps, sampleRate).filter((energy) => lufs(energy) > ABSOLUTE_GATE);
  if (audible.length === 0) return null;
  const threshold = lufs(mean(audible)) + RELATIVE_GATE;
  return lufs(mean(audible.filter((energy) => lufs(energy) > threshold)));
}

export const highestOf = (steps: Step[]) => steps.reduce((highest, step) => Math.max(highest, step.highest), 0);

function blocksOf(steps: Step[], sampleRate: number): number[] {
  const samples = (sampleRate * STEPS_PER_BLOCK) / STEPS_PER_SECOND;
  const blocks: number[] = [];
  for (let end = STEPS_PER_BLOCK; end <= steps.length; end += STEPS_BETWEEN) {
    let energy = 0;
    for (let step = end - STEPS_PER_BLOCK; step < end; step++) energy += steps[step]!.weighted;
    blocks.push(energy / samples);
  }
  return blocks;
}

const lufs = (energy: number) => OFFSET + 10 * Math.log10(energy);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
