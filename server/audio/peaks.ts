import type { ByteSource } from './bytes';
import { openDecoder } from './decode';
import { readFrames } from './frame-reader';
import type { FrameIndex } from './indexing';
import { loudnessMeter } from './loudness';

/** What the player draws: one byte for the highest sample of each step, 255 = full scale, in base64. */
export type Zoom = { stepMs: number; peaks: string };

/** What one pass of decoding tells of an MP3. Times in ms from the first frame's first sample on. */
export type Measured = {
  /** Finest first; the last has at most 1,800 points. */
  zooms: Zoom[];
  /** Integrated, in LUFS; null when it is silent throughout. */
  lufs: number | null;
  /** The highest sample as a share of full scale. */
  peak: number;
  silences: Silence[];
  /** Frames that the decoder could not make sense of, or left out. */
  undecodedFrames: number;
  /** The decoder's first complaint. */
  complaint: string | null;
};

export type Silence = { startMs: number; endMs: number };

const STEPS_PER_SECOND = 20;
const STEP_MS = 1000 / STEPS_PER_SECOND;
const COARSE = 10;
const OVERVIEW_POINTS = 1800;
/** A pause between sentences is about this long. */
const SHORTEST_SILENCE_MS = 300;
/** How far below the whole a moment has to be for a pause, and the loudest and quietest that this may come to, in dB. */
const BELOW_LOUDNESS = 25;
const LOUDEST_PAUSE = -38;
const QUIETEST_PAUSE = -60;

/** Decodes everything once. It takes seconds: servers call `measureInWorker`. */
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

/** The same, fed with batches of whole frames. */
export async function openMeter({ sampleRate, channels, samplesPerFrame }: MeterFormat) {
  const decoder = await openDecoder(channels);
  const loudness = loudnessMeter(sampleRate, channels);
  const steps = stepMeter(sampleRate, channels);
  let due = 0;
  let decoded = 0;
  let complaints = 0;
  let complaint: string | null = null;
  return {
    add(bytes: Uint8Array, frames: number): void {
      const pcm = decoder.decode(bytes);
      due += frames * samplesPerFrame;
      decoded += pcm.samples;
      complaints += pcm.errors.length;
      complaint ??= pcm.errors[0] ?? null;
      if (pcm.samples === 0) return;
      loudness.add(pcm.channels);
      steps.add(pcm.channels);
    },
    done(): Measured {
      const lufs = loudness.integrated();
      const { peaks, powers } = steps.done();
      // what the decoder leaves out it mostly complains of too
      const undecodedFrames = Math.max(complaints, Math.round((due - decoded) / samplesPerFrame));
      const silences = silencesOf(powers, lufs);
      return { zooms: zoomsOf(peaks), lufs, peak: loudness.peak(), silences, undecodedFrames, complaint };
    },
    free: decoder.free,
  };
}

/** The highest sample and the mean power of each step, over all channels. */
function stepMeter(sampleRate: number, channelCount: number) {
  const peaks: number[] = [];
  const powers: number[] = [];
  let seen = 0;
  let stepStart = 0;
  let peak = 0;
  let sum = 0;
  const close = (samples: number) => {
    peaks.push(Math.min(255, Math.round(peak * 255)));
    powers.push(sum / Math.max(1, samples * channelCount));
    stepStart += samples;
    [peak, sum] = [0, 0];
  };
  return {
    add(channels: Float32Array[]): void {
      const total = channels[0]!.length;
      for (let from = 0; from < total; ) {
        const stepEnd = Math.round(((peaks.length + 1) * sampleRate) / STEPS_PER_SECOND);
        const to = Math.min(total, from + stepEnd - seen);
        for (const channel of channels) {
          const heard = highestAndPower(channel, from, to);
          if (heard.highest > peak) peak = heard.highest;
          sum += heard.power;
        }
        seen += to - from;
        from = to;
        if (seen === stepEnd) close(stepEnd - stepStart);
      }
    },
    done() {
      if (seen > stepStart) close(seen - stepStart);
      return { peaks: Uint8Array.from(peaks), powers };
    },
  };
}

function highestAndPower(channel: Float32Array, from: number, to: number): { highest: number; power: number } {
  let highest = 0;
  let power = 0;
  for (let i = from; i < to; i++) {
    const x = channel[i]!;
    const height = x < 0 ? -x : x;
    if (height > highest) highest = height;
    power += x * x;
  }
  return { highest, power };
}

function zoomsOf(finest: Uint8Array): Zoom[] {
  const overview = Math.max(COARSE + 1, Math.ceil(finest.length / OVERVIEW_POINTS));
  return [1, COARSE, overview].map((steps) => ({
    stepMs: steps * STEP_MS,
    peaks: Buffer.from(coarser(finest, steps)).toString('base64'),
  }));
}

function coarser(peaks: Uint8Array, steps: number): Uint8Array {
  if (steps === 1) return peaks;
  return Uint8Array.from({ length: Math.ceil(peaks.length / steps) }, (_, i) =>
    peaks.subarray(i * steps, (i + 1) * steps).reduce((highest, peak) => Math.max(highest, peak), 0),
  );
}

function silencesOf(powers: number[], lufs: number | null): Silence[] {
  const level = Math.min(LOUDEST_PAUSE, Math.max(QUIETEST_PAUSE, (lufs ?? QUIETEST_PAUSE) - BELOW_LOUDNESS));
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
