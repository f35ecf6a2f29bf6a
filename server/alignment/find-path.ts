/**
 * Where each moment of a sound is said in a spoken text (Viterbi). A step of the sound either matches a step of the
 * speech, which goes on by 0 to 2 steps, or belongs to no word: a pause, a remark, music. Between two words, the speech
 * may leave out what was never said. Each step of the sound costs exactly once, so paths of every kind compare.
 */
import { FEATURE_SIZE } from '../audio/speech-features';

export type Sequence = {
  steps: number;
  /** `FEATURE_SIZE` numbers per step. */
  values: Float32Array;
};

export type PathCosts = {
  /** Of a step of the sound that belongs to no word. */
  other: Float32Array;
  /** Of leaving and re-entering the text. */
  leave: number;
  /** Of each step of the speech that is left out. */
  omit: number;
  /** Of a step during which the speech stands still, or goes on by two. */
  bend: number;
};

/** For each step of the sound: the step of the speech that it matches, or -1 where it belongs to no word. */
export type Path = { matches: Int32Array; costs: Float32Array };

/** Which steps of the speech are compared with a step of the sound: from `low` (included) to `high` (excluded). */
export type Band = { low: Int32Array; high: Int32Array };

const STAY = 0;
const ON = 1;
const SKIP = 2;
const ENTER = 3;
const IN_TEXT = 3;
/** How the place before a word was reached: it was there already, from the word before, or by leaving a word out. */
const WAIT = 0 << 2;
const LEAVE = 1 << 2;
const OMIT = 2 << 2;

/**
 * The cheapest path from the first word boundary in the band to anywhere.
 * @param isStart 1 for each step of the speech with which a word begins
 */
export function findPath(sound: Sequence, speech: Sequence, band: Band, isStart: Uint8Array, costs: PathCosts): Path {
  const rows = offsetsOf(band);
  const trace = new Uint8Array(rows[sound.steps]!);
  const compare = comparison(sound, speech);
  const distances = new Float32Array(speech.steps);
  const width = speech.steps + 1;
  // `inside[j]`: the sound so far ends in step j; `before[j]`: it ends outside of all words, and word j comes next
  let [inside, nextInside] = [new Float32Array(width).fill(Infinity), new Float32Array(width).fill(Infinity)];
  let [before, nextBefore] = [new Float32Array(width).fill(Infinity), new Float32Array(width).fill(Infinity)];
  const { other, leave, omit, bend } = costs;
  const first = band.low[0]!;
  before[first] = 0;
  omitWords(before, { low: first, high: band.high[0]! }, isStart, omit);
  for (let i = 0; i < sound.steps; i++) {
    const [low, high] = [band.low[i]!, band.high[i]!];
    const row = rows[i]! - low;
    const [formerLow, formerHigh] = i === 0 ? [low, high] : [band.low[i - 1]!, band.high[i - 1]!];
    const outside = other[i]!;
    compare(i, low, high, distances);
    let omitted = Infinity;
    let sinceStart = 0;
    for (let j = low; j < high; j++) {
      const isNear = j >= formerLow && j < formerHigh;
      let best = isNear ? inside[j]! + bend : Infinity;
      let how = STAY;
      if (j > formerLow && j <= formerHigh && inside[j - 1]! < best) {
        best = inside[j - 1]!;
        how = ON;
      }
      if (j > formerLow + 1 && j <= formerHigh + 1 && inside[j - 2]! + bend < best) {
        best = inside[j - 2]! + bend;
        how = SKIP;
      }
      sinceStart += 1;
      if (isStart[j] === 1) {
        const waited = isNear ? before[j]! : Infinity;
        if (waited < best) {
          best = waited;
          how = ENTER;
        }
        const left = j > formerLow && j <= formerHigh ? inside[j - 1]! + leave : Infinity;
        let place = waited;
        let came = WAIT;
        if (left < place) {
          place = left;
          came = LEAVE;
        }
        place += outside;
        omitted += omit * sinceStart;
        if (omitted < place) {
          place = omitted;
          came = OMIT;
        }
        omitted = place;
        sinceStart = 0;
        nextBefore[j] = place;
        how |= came;
      } else nextBefore[j] = Infinity;
      nextInside[j] = best + distances[j]!;
      trace[row + j] = how;
    }
    [inside, nextInside] = [nextInside, inside];
    [before, nextBefore] = [nextBefore, before];
  }
  const last = { low: band.low[sound.steps - 1]!, high: band.high[sound.steps - 1]! };
  const end = cheapest(inside, before, last);
  const one = new Float32Array(speech.steps);
  return follow({ trace, rows, band, isStart, steps: sound.steps }, end, (i, j) => {
    if (j < 0) return other[i]!;
    compare(i, j, j + 1, one);
    return one[j]!;
  });
}

function omitWords(
  before: Float32Array,
  { low, high }: { low: number; high: number },
  isStart: Uint8Array,
  omit: number,
) {
  for (let j = low + 1; j < high; j++) if (isStart[j] === 1) before[j] = before[low]! + omit * (j - low);
}

function offsetsOf({ low, high }: Band): Float64Array {
  const rows = new Float64Array(low.length + 1);
  for (let i = 0; i < low.length; i++) rows[i + 1] = rows[i]! + (high[i]! - low[i]!);
  return rows;
}

/** Writes the distances (Euclidean) between a step of the sound and a range of steps of the speech. */
function comparison(sound: Sequence, speech: Sequence) {
  const [a, b] = [sound.values, speech.values];
  const squares = Float32Array.from({ length: speech.steps }, (_, j) => squareAt(b, j));
  return (i: number, low: number, high: number, distances: Float32Array): void => {
    const at = i * FEATURE_SIZE;
    const [a0, a1, a2, a3, a4, a5, a6] = [
      a[at]!,
      a[at + 1]!,
      a[at + 2]!,
      a[at + 3]!,
      a[at + 4]!,
      a[at + 5]!,
      a[at + 6]!,
    ];
    const [a7, a8, a9, a10, a11, a12] = [a[at + 7]!, a[at + 8]!, a[at + 9]!, a[at + 10]!, a[at + 11]!, a[at + 12]!];
    const square = squareAt(a, i);
    for (let j = low, from = low * FEATURE_SIZE; j < high; j++, from += FEATURE_SIZE) {
      // written out, because it is most of the work: a loop takes three times as long
      const product =
        a0 * b[from]! +
        a1 * b[from + 1]! +
        a2 * b[from + 2]! +
        a3 * b[from + 3]! +
        a4 * b[from + 4]! +
        a5 * b[from + 5]! +
        a6 * b[from + 6]! +
        a7 * b[from + 7]! +
        a8 * b[from + 8]! +
        a9 * b[from + 9]! +
        a10 * b[from + 10]! +
        a11 * b[from + 11]! +
        a12 * b[from + 12]!;
      distances[j] = Math.sqrt(Math.max(0, square + squares[j]! - 2 * product));
    }
  };
}

function squareAt(values: Float32Array, step: number): number {
  let sum = 0;
  for (let at = step * FEATURE_SIZE, end = at + FEATURE_SIZE; at < end; at++) sum += values[at]! * values[at]!;
  return sum;
}

type End = { at: number; isInside: boolean };

function cheapest(inside: Float32Array, before: Float32Array, { low, high }: { low: number; high: number }): End {
  let end: End = { at: low, isInside: false };
  let least = Infinity;
  for (let j = low; j < high; j++) {
    if (inside[j]! < least) {
      least = inside[j]!;
      end = { at: j, isInside: true };
    }
    if (before[j]! < least) {
      least = before[j]!;
      end = { at: j, isInside: false };
    }
  }
  return end;
}

type Trace = { trace: Uint8Array; rows: Float64Array; band: Band; isStart: Uint8Array; steps: number };

function follow(
  { trace, rows, band, isStart, steps }: Trace,
  end: End,
  costOf: (i: number, j: number) => number,
): Path {
  const matches = new Int32Array(steps);
  const costs = new Float32Array(steps);
  let { at, isInside } = end;
  for (let i = steps - 1; i >= 0; i--) {
    const how = (j: number) => trace[rows[i]! - band.low[i]! + j]!;
    // omitted words cost no step of the sound
    while (!isInside && (how(at) & ~IN_TEXT) === OMIT) at = startBefore(isStart, at);
    matches[i] = isInside ? at : -1;
    costs[i] = costOf(i, matches[i]!);
    if (isInside) {
      const step = how(at) & IN_TEXT;
      if (step === ENTER) isInside = false;
      else at -= step === ON ? 1 : step === SKIP ? 2 : 0;
    } else if ((how(at) & ~IN_TEXT) === LEAVE) {
      at -= 1;
      isInside = true;
    }
  }
  return { matches, costs };
}

function startBefore(isStart: Uint8Array, at: number): number {
  let start = at - 1;
  while (start > 0 && isStart[start] !== 1) start -= 1;
  return start;
}
