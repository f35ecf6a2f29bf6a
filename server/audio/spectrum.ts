/** The power spectrum of real samples, with tables that are made once per size. */
export type Spectrum = {
  /** A power of two. */
  size: number;
  /** Overwrites `powers` with the power of each of the `size / 2` lowest frequencies. */
  powersOf(samples: Float32Array, powers: Float32Array): void;
};

/** A real transform of `size` samples as a complex one of half the size (radix 2, in place). */
export function openSpectrum(size: number): Spectrum {
  const half = size / 2;
  const { cosines, sines } = circle(size);
  const order = bitReversed(half);
  const [re, im] = [new Float64Array(half), new Float64Array(half)];
  function transform(): void {
    for (let width = 1; width < half; width *= 2) {
      const stride = half / width;
      for (let from = 0; from < half; from += 2 * width) {
        for (let k = 0; k < width; k++) {
          const [a, b] = [from + k, from + k + width];
          const [c, s] = [cosines[k * stride]!, sines[k * stride]!];
          const real = re[b]! * c - im[b]! * s;
          const imaginary = re[b]! * s + im[b]! * c;
          re[b] = re[a]! - real;
          im[b] = im[a]! - imaginary;
          re[a] = re[a]! + real;
          im[a] = im[a]! + imaginary;
        }
      }
    }
  }
  return {
    size,
    powersOf(samples, powers) {
      for (let i = 0; i < half; i++) {
        const from = 2 * order[i]!;
        re[i] = samples[from]!;
        im[i] = samples[from + 1]!;
      }
      transform();
      powers[0] = (re[0]! + im[0]!) ** 2;
      for (let k = 1; k < half; k++) {
        const [r1, i1, r2, i2] = [re[k]!, im[k]!, re[half - k]!, im[half - k]!];
        const [evenRe, evenIm, oddRe, oddIm] = [(r1 + r2) / 2, (i1 - i2) / 2, (i1 + i2) / 2, (r2 - r1) / 2];
        const [c, s] = [cosines[k]!, sines[k]!];
        const real = evenRe + oddRe * c - oddIm * s;
        const imaginary = evenIm + oddRe * s + oddIm * c;
        powers[k] = real * real + imaginary * imaginary;
      }
    },
  };
}

/** e^(-2πik/size) for the first half of the circle. */
function circle(size: number) {
  const cosines = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sines = Float64Array.from({ length: size / 2 }, (_, k) => -Math.sin((2 * Math.PI * k) / size));
  return { cosines, sines };
}

function bitReversed(size: number): Uint32Array {
  const order = new Uint32Array(size);
  for (let i = 1; i < size; i++) order[i] = (order[i >> 1]! >> 1) | (i & 1 ? size >> 1 : 0);
  return order;
}
