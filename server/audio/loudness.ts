/** Integrated loudness by ITU-R BS.1770-4, fed as the sound goes by. */
export type LoudnessMeter = {
  add(channels: Float32Array[]): void;
  /** In LUFS; null when there was nothing louder than silence. */
  integrated(): number | null;
  /** The highest sample so far, as a share of full scale. */
  peak(): number;
};

type Biquad = { b0: number; b1: number; b2: number; a1: number; a2: number };

/** Blocks of 400 ms that overlap by three quarters: sums of 100 ms, four at a time. */
const STEPS_PER_SECOND = 10;
const STEPS_PER_BLOCK = 4;
const ABSOLUTE_GATE = -70;
const RELATIVE_GATE = -10;
const OFFSET = -0.691;
/** In digital silence the filters' memory would sink into numbers that processors are four times slower with. */
const ALMOST_NOTHING = 1e-25;

export function loudnessMeter(sampleRate: number, channels: 1 | 2): LoudnessMeter {
  const filters = Array.from({ length: channels }, () => weighting(sampleRate));
  const stepSamples = Math.round(sampleRate / STEPS_PER_SECOND);
  const steps: number[] = [];
  let sum = 0;
  let inStep = 0;
  let peak = 0;
  return {
    add(pcm) {
      const total = pcm[0]!.length;
      for (let from = 0; from < total; ) {
        const to = Math.min(total, from + stepSamples - inStep);
        filters.forEach((filter, channel) => {
          const heard = filter(pcm[channel]!, from, to);
          sum += heard.energy;
          if (heard.peak > peak) peak = heard.peak;
        });
        inStep += to - from;
        from = to;
        if (inStep < stepSamples) continue;
        steps.push(sum / stepSamples);
        sum = 0;
        inStep = 0;
      }
    },
    integrated: () => gated(blocksOf(steps)),
    peak: () => peak,
  };
}

function blocksOf(steps: number[]): number[] {
  const blocks: number[] = [];
  for (let i = STEPS_PER_BLOCK; i <= steps.length; i++) {
    let energy = 0;
    for (let step = i - STEPS_PER_BLOCK; step < i; step++) energy += steps[step]!;
    blocks.push(energy / STEPS_PER_BLOCK);
  }
  return blocks;
}

const lufs = (energy: number) => OFFSET + 10 * Math.log10(energy);
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function gated(blocks: number[]): number | null {
  const audible = blocks.filter((energy) => lufs(energy) > ABSOLUTE_GATE);
  if (audible.length === 0) return null;
  const threshold = lufs(mean(audible)) + RELATIVE_GATE;
  return lufs(mean(audible.filter((energy) => lufs(energy) > threshold)));
}

/** The two filters of the standard, for any sample rate; each channel keeps its own memory. */
function weighting(sampleRate: number) {
  const shelf = highShelf(sampleRate);
  const pass = highPass(sampleRate);
  const memory = new Float64Array(4);
  return (pcm: Float32Array, from: number, to: number) => {
    // locals, for this is where the time of an hour of sound goes
    const { b0, b1, b2, a1, a2 } = shelf;
    const { a1: c1, a2: c2 } = pass;
    let [s1, s2, p1, p2] = memory as unknown as [number, number, number, number];
    let energy = 0;
    let peak = 0;
    for (let i = from; i < to; i++) {
      const x = pcm[i]!;
      const y = b0 * (x + ALMOST_NOTHING) + s1;
      s1 = b1 * x - a1 * y + s2;
      s2 = b2 * x - a2 * y;
      const z = y + p1;
      p1 = -2 * y - c1 * z + p2;
      p2 = y - c2 * z;
      energy += z * z;
      const height = x < 0 ? -x : x;
      if (height > peak) peak = height;
    }
    memory.set([s1, s2, p1, p2]);
    return { energy, peak };
  };
}

/** Numbers as in the analogue models behind the standard's tables for 48 kHz. */
function highShelf(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (high + (band * k) / q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

function highPass(sampleRate: number): Pick<Biquad, 'a1' | 'a2'> {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  // its other three are 1, -2 and 1
  return { a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}
