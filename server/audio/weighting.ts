/** Levels of one channel: sums of squares, weighted by ITU-R BS.1770-4 and unweighted, and the highest sample. */
export type ChannelLevels = { weighted: number; power: number; highest: number };

type Biquad = { b0: number; b1: number; b2: number; a1: number; a2: number };

/** Digital silence would turn the filters' state into denormal numbers, which processors handle many times slower. */
const DENORMAL_GUARD = 1e-25;

/** The filters of one channel and their state. */
export type ChannelMeter = { shelf: Biquad; pass: Pick<Biquad, 'a1' | 'a2'>; memory: Float64Array };

export function createChannelMeter(sampleRate: number): ChannelMeter {
  return { shelf: highShelf(sampleRate), pass: highPass(sampleRate), memory: new Float64Array(4) };
}

/**
 * Processes more samples. One loop over local variables for all levels, because an hour of audio spends its time here.
 */
export function measureSamples({ shelf, pass, memory }: ChannelMeter, pcm: Float32Array): ChannelLevels {
  const { b0, b1, b2, a1, a2 } = shelf;
  const { a1: c1, a2: c2 } = pass;
  let s1 = memory[0]!;
  let s2 = memory[1]!;
  let p1 = memory[2]!;
  let p2 = memory[3]!;
  let weighted = 0;
  let power = 0;
  let highest = 0;
  for (let i = 0; i < pcm.length; i++) {
    const x = pcm[i]!;
    // this order lets the next sample wait for as few operations as possible
    const y = b0 * x + DENORMAL_GUARD + s1;
    s1 = b1 * x + s2 - a1 * y;
    s2 = b2 * x - a2 * y;
    const z = y + p1;
    p1 = p2 - 2 * y - c1 * z;
    p2 = y - c2 * z;
    weighted += z * z;
    power += x * x;
    const height = Math.abs(x);
    if (height > highest) highest = height;
  }
  memory.set([s1, s2, p1, p2]);
  return { weighted, power, highest };
}

/** Coefficients from the analogue filters on which the standard's tables for 48 kHz are based. */
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
  // the other three coefficients are 1, -2 and 1
  return { a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}
