import type { ByteSource } from './bytes';
import { type DecodingLosses, openStreamDecoder } from './decode';
import { readFrames } from './frame-reader';
import type { FrameIndex } from './indexing';
import { highestOf, integratedLoudness } from './loudness';
import { STEPS_PER_SECOND, type Step, stepMeter } from './sound-steps';

/** Waveform data: the highest sample of each step as one byte, 255 = full scale, in base64. */
export type Zoom = { stepMs: number; peaks: string };

/** The result of one decoding pass over an MP3. Times are in ms from the first sample. */
export type Measured = DecodingLosses & {
  /** Finest first; the last has at most 1,800 points. */
  zooms: Zoom[];
  /** Integrated loudness in LUFS; null for silence. */
  lufs: number | null;
  /** The highest sample relative to full scale. */
  peak: number;
  silences: Silence[];
};

export type Silence = { startMs: number; endMs: number };

const STEP_MS = 1000 / STEPS_PER_SECOND;
const COARSE = 10;
const OVERVIEW_POINTS = 1800;
/** The typical length of a pause between sentences. */
const SHORTEST_SILENCE_MS = 300;
/** How far below the overall loudness a pause must be, and the bounds of the resulting threshold, in dB. */
const PAUSE_DEPTH_DB = 25;
const LOUDEST_PAUSE = -38;
const QUIETEST_PAUSE = -60;

/** Decodes everything once. Takes seconds, so servers call `measureInWorker`. */
export async function measure(source: ByteSource, index: FrameIndex): Promise<Measured> {
  const meter = await openMeter(index);
  try {
    for await (const { bytes, frames } of readFrames(source, index)) meter.add(bytes, frames);
    return meter.done();
  } finally {
    meter.free();
  }
}

export type MeterFormat = Pick<FrameIndex, 'sampleRate' | 'channels' | 'samplesPerFrame'>;

/** Measures batches of whole frames. */
export async function openMeter(format: MeterFormat) {
  const decoder = await openStreamDecoder(format);
  const { sampleRate, channels } = format;
  const meter = stepMeter(sampleRate, channels);
  return {
    add(bytes: Uint8Array, frames: number): void {
      for (const pcm of decoder.decode(bytes, frames)) meter.add(pcm);
    },
    done(): Measured {
      const steps = meter.all();
      const lufs = integratedLoudness(meter.whole, sampleRate);
      const silences = silencesIn(steps, channels, lufs);
      return { zooms: zoomsOf(toPeakBytes(steps)), lufs, peak: highestOf(steps), silences, ...decoder.losses() };
    },
    free: decoder.free,
  };
}

function toPeakBytes(steps: Step[]): Uint8Array {
  return Uint8Array.from(steps, ({ highest }) => Math.min(255, Math.round(highest * 255)));
}

function zoomsOf(finest: Uint8Array): Zoom[] {
  const overview = Math.max(COARSE + 1, Math.ceil(finest.length / OVERVIEW_POINTS));
  return [1, COARSE, overview].map((steps) => ({
    stepMs: steps * STEP_MS,
    peaks: Buffer.from(downsample(finest, steps)).toString('base64'),
  }));
}

function downsample(peaks: Uint8Array, steps: number): Uint8Array {
  if (steps === 1) return peaks;
  return Uint8Array.from({ length: Math.ceil(peaks.length / steps) }, (_, i) =>
    peaks.subarray(i * steps, (i + 1) * steps).reduce((highest, peak) => Math.max(highest, peak), 0),
  );
}

/** The power of each step, 1 = full scale. */
export const powersOf = (steps: readonly Step[], channels: number): number[] =>
  steps.map(({ power, samples }) => power / (samples * channels));

/** The pauses in the steps of a sound of this loudness. */
export function silencesIn(steps: readonly Step[], channels: number, lufs: number | null): Silence[] {
  const powers = powersOf(steps, channels);
  const level = Math.min(LOUDEST_PAUSE, Math.max(QUIETEST_PAUSE, (lufs ?? QUIETEST_PAUSE) - PAUSE_DEPTH_DB));
  const bound = 10 ** (level / 10);
  const silences: Silence[] = [];
  let since: number | null = null;
  for (let step = 0; step <= powers.length; step++) {
    const quiet = step < powers.length && powers[step]! < bound;
    if (quiet) since ??= step;
    else if (since !== null) {
      const silence = { startMs: since * STEP_MS, endMs: step * STEP_MS };
      if (silence.endMs - silence.startMs >= SHORTEST_SILENCE_MS) silences.push(silence);
      since = null;
    }
  }
  return silences;
}
