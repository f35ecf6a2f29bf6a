import { openSpectrum } from './spectrum';

export const FEATURES_PER_SECOND = 50;
/** The logarithm of the energy, and twelve cepstral coefficients that describe the shape of the spectrum. */
export const FEATURE_SIZE = 13;

/** What speech sounds like: `FEATURE_SIZE` numbers (MFCC) for each fiftieth of a second. */
export type Features = { frames: number; values: Float32Array };

const WINDOW_SECONDS = 0.025;
const BANDS = 26;
/** In Hz. Most low bit rates keep what is below. */
const [LOWEST, HIGHEST] = [80, 6800];
/** Added to the energy of each band, so that silence is about as silent in every file. */
const FLOOR = 1e-6;

/** Measures mono samples that come in pieces of any length. */
export function featureMeter(sampleRate: number) {
  const size = 2 ** Math.round(Math.log2(sampleRate * WINDOW_SECONDS) - 0.1);
  const spectrum = openSpectrum(size);
  const length = Math.min(size, Math.round(sampleRate * WINDOW_SECONDS));
  const shape = Float32Array.from({ length }, (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (length - 1)));
  const writeFeatures = cepstrumWriter(sampleRate, size);
  const list = growingList();
  const frame = new Float32Array(size);
  const powers = new Float32Array(size / 2);
  /** Where the next frame starts: its middle is the middle of its fiftieth of a second. */
  const nextStart = () => Math.round(((list.frames() + 0.5) * sampleRate) / FEATURES_PER_SECOND - length / 2);
  let rest = new Float32Array(length);
  let restStart = -length;
  return {
    add(piece: Float32Array): void {
      const samples = new Float32Array(rest.length + piece.length);
      samples.set(rest);
      samples.set(piece, rest.length);
      for (let at = nextStart() - restStart; at + length <= samples.length; at = nextStart() - restStart) {
        for (let i = 0; i < length; i++) frame[i] = samples[at + i]! * shape[i]!;
        spectrum.powersOf(frame, powers);
        writeFeatures(powers, list.next());
      }
      const used = Math.min(samples.length, nextStart() - restStart);
      rest = samples.slice(used);
      restStart += used;
    },
    done: list.features,
  };
}

/** Writes the features of a power spectrum: logarithms of mel bands, and their cosine transform. */
function cepstrumWriter(sampleRate: number, size: number) {
  const bands = bandsOf(sampleRate, size);
  const transform = Float64Array.from({ length: FEATURE_SIZE * BANDS }, (_, i) => {
    const [k, band] = [Math.floor(i / BANDS), i % BANDS];
    return Math.cos((Math.PI * k * (band + 0.5)) / BANDS) * Math.sqrt((k === 0 ? 1 : 2) / BANDS);
  });
  const logs = new Float64Array(BANDS);
  // independent of the window's length
  const scale = 1 / (size * size);
  return (powers: Float32Array, features: Float32Array): void => {
    for (const [band, { from, weights }] of bands.entries()) {
      let energy = 0;
      for (let i = 0; i < weights.length; i++) energy += weights[i]! * powers[from + i]!;
      logs[band] = Math.log(energy * scale + FLOOR * FLOOR_SHARE);
    }
    for (let k = 0; k < FEATURE_SIZE; k++) {
      let sum = 0;
      for (let band = 0; band < BANDS; band++) sum += transform[k * BANDS + band]! * logs[band]!;
      features[k] = sum;
    }
  };
}

const FLOOR_SHARE = 1e-2;

/** Triangles that overlap by half, evenly spaced in mel. */
function bandsOf(sampleRate: number, size: number): { from: number; weights: Float64Array }[] {
  const [low, high] = [toMel(LOWEST), toMel(Math.min(HIGHEST, sampleRate * 0.45))];
  const edgeAt = (i: number) => (toHertz(low + ((high - low) * i) / (BANDS + 1)) * size) / sampleRate;
  return Array.from({ length: BANDS }, (_, band) => {
    const [left, middle, right] = [edgeAt(band), edgeAt(band + 1), edgeAt(band + 2)];
    const from = Math.max(1, Math.floor(left));
    const length = Math.min(size / 2 - 1, Math.ceil(right)) - from + 1;
    const weights = Float64Array.from({ length }, (_, i) => {
      const at = from + i;
      // narrow bands at low frequencies would otherwise fall between two bins
      return Math.max(
        0,
        Math.min((at - left) / Math.max(1, middle - left), (right - at) / Math.max(1, right - middle), 1),
      );
    });
    if (weights.every((weight) => weight === 0)) weights[Math.min(length - 1, Math.round(middle) - from)] = 1;
    return { from, weights };
  });
}

const toMel = (hertz: number) => 2595 * Math.log10(1 + hertz / 700);
const toHertz = (mel: number) => 700 * (10 ** (mel / 2595) - 1);

function growingList() {
  let values = new Float32Array(FEATURE_SIZE * 4096);
  let frames = 0;
  return {
    frames: () => frames,
    next(): Float32Array {
      if ((frames + 1) * FEATURE_SIZE > values.length) {
        const wider = new Float32Array(2 * values.length);
        wider.set(values);
        values = wider;
      }
      frames += 1;
      return values.subarray((frames - 1) * FEATURE_SIZE, frames * FEATURE_SIZE);
    },
    features: (): Features => ({ frames, values: values.slice(0, frames * FEATURE_SIZE) }),
  };
}
