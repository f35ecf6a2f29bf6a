/** What a stretch of one channel comes to: squares summed as ITU-R BS.1770-4 weights them, and as they are; the highest sample. */
export type Heard = { weighted: number; power: number; highest: number };

type Biquad = { b0: number; b1: number; b2: number; a1: number; a2: number };

/** In digital silence the filters' memory would sink into numbers that processors are many times slower with. */
const ALMOST_NOTHING = 1e-25;

/** One channel's filters and what they remember. */
export type Ear = { shelf: Biquad; pass: Pick<Biquad, 'a1' | 'a2'>; memory: Float64Array };

export function openEar(sampleRate: number): Ear {
  return { shelf: highShelf(sampleRate), pass: highPass(sampleRate), memory: new Float64Array(4) };
}

/** Hears the next stretch. One loop for all figures and on locals: this is where the time of an hour of sound goes. */
export function hear({ shelf, pass, memory }: Ear, pcm: Float32Array): Heard {
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
    // in this order the next sample waits for as few operations of this one as can be
    const y = b0 * x + ALMOST_NOTHING + s1;
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
