import { createMp3Encoder } from 'wasm-media-encoders';
import { type Random, seededRandom } from './random';
import { addEcho, finalize, muteBetween, playNote, playTick, SAMPLE_RATE, TIMBRES } from './synthesizer';

const SCALES = [
  [0, 2, 4, 5, 7, 9, 11],
  [0, 2, 4, 6, 7, 9, 11],
  [0, 2, 3, 5, 7, 9, 10],
  [0, 2, 3, 5, 7, 8, 10],
] as const;
const PROGRESSIONS = [
  [0, 4, 5, 3],
  [0, 5, 3, 4],
  [0, 2, 5, 3],
  [0, 3, 1, 4],
  [5, 3, 0, 4],
] as const;
/** Eighth notes of a bar on which the melody plays. */
const RHYTHMS = [
  [0, 3, 4, 6],
  [0, 2, 3, 5, 6],
  [1, 3, 4, 7],
  [0, 1, 4, 6, 7],
  [2, 4, 5],
] as const;
const BEATS = 4;
const KBPS = 64;

type Tune = {
  random: Random;
  samples: Float32Array;
  bars: number;
  barSeconds: number;
  /** The MIDI note of a scale step; steps beyond the scale continue in other octaves. */
  pitch(step: number, octave: number): number;
  chord(bar: number): number;
};

export type Compose = (seed: string, seconds: number) => Promise<Buffer>;

/** Composes each tune once. */
export function keepTunes(compose: Compose): Compose {
  const kept = new Map<string, Promise<Buffer>>();
  return (seed, seconds) => {
    const key = `${seed} ${seconds}`;
    const tune = kept.get(key) ?? compose(seed, seconds);
    kept.set(key, tune);
    tune.catch(() => kept.delete(key));
    return tune;
  };
}

/** Composes a short quiet tune for a demo episode, as a complete MP3. The same seed gives the same bytes. */
export async function synthesizeTune(seed: string, seconds: number): Promise<Buffer> {
  return encode(compose(seed, seconds));
}

function compose(seed: string, seconds: number): Float32Array {
  const random = seededRandom(seed);
  const barSeconds = (BEATS * 60) / random.integer(76, 104);
  const scale = random.pick(SCALES);
  const progression = random.pick(PROGRESSIONS);
  const root = random.integer(48, 57);
  const tune: Tune = {
    random,
    samples: new Float32Array(Math.round(seconds * SAMPLE_RATE)),
    bars: Math.ceil(seconds / barSeconds),
    barSeconds,
    pitch: (step, octave) => root + 12 * (octave + Math.floor(step / 7)) + scale[((step % 7) + 7) % 7]!,
    chord: (bar) => progression[bar % progression.length]!,
  };
  playMelody(tune);
  addEcho(tune.samples, (barSeconds / BEATS) * 0.75, 0.34);
  playAccompaniment(tune);
  addPauses(tune);
  finalize(tune.samples, 0.7, 4);
  return tune.samples;
}

/** A recurring two-bar motif that follows the chords and sometimes varies. */
function playMelody({ random, samples, bars, barSeconds, pitch, chord }: Tune): void {
  const timbre = random.pick([TIMBRES.pluck, TIMBRES.bell]);
  const motif = [0, 1].map(() => random.pick(RHYTHMS).map((eighth) => ({ eighth, step: random.integer(0, 6) })));
  for (let bar = 2; bar < bars - 1; bar++) {
    const rests = bar % 16 >= 14;
    if (rests) continue;
    for (const { eighth, step } of motif[bar % 2]!) {
      const varied = random.next() < 0.2 ? step + random.pick([-1, 1, 2]) : step;
      const at = (bar + eighth / 8) * barSeconds;
      const gain = 0.24 + 0.06 * random.next();
      playNote(samples, timbre, { at, seconds: barSeconds / 6, midi: pitch(chord(bar) + varied, 1), gain });
    }
  }
}

/** Chords start in bar 1, the bass in bar 3, the beat in bar 5. */
function playAccompaniment({ random, samples, bars, barSeconds, pitch, chord }: Tune): void {
  for (let bar = 0; bar < bars; bar++) {
    const at = bar * barSeconds;
    for (const third of [0, 2, 4]) {
      playNote(samples, TIMBRES.pad, { at, seconds: barSeconds * 0.9, midi: pitch(chord(bar) + third, 0), gain: 0.11 });
    }
    if (bar < 2 || bar >= bars - 1) continue;
    for (const beat of [0, 1.5, 2]) {
      const gain = beat === 1.5 ? 0.14 : 0.26;
      playNote(samples, TIMBRES.bass, {
        at: at + (beat * barSeconds) / BEATS,
        seconds: 0.4,
        midi: pitch(chord(bar), -1),
        gain,
      });
    }
    if (bar < 4 || bar % 8 === 7) continue;
    for (let eighth = 0; eighth < 8; eighth++) {
      playTick(samples, at + (eighth * barSeconds) / 8, eighth % 4 === 2 ? 0.07 : 0.025, random.next);
    }
  }
}

/** From this length on, a tune has pauses. */
const LONG_SECONDS = 40;
const PAUSE_SECONDS = 0.8;

/** Rests before the bars at each quarter, so that the demo's episodes have pauses between which clips can play. */
function addPauses({ samples, bars, barSeconds }: Tune): void {
  if (samples.length < LONG_SECONDS * SAMPLE_RATE) return;
  for (const quarter of [1, 2, 3]) {
    const end = Math.floor((bars * quarter) / 4) * barSeconds;
    muteBetween(samples, end - PAUSE_SECONDS, end);
  }
}

async function encode(samples: Float32Array): Promise<Buffer> {
  const encoder = await createMp3Encoder();
  // Without `outputSampleRate` LAME silently lowers the sample rate at low bit rates.
  encoder.configure({ sampleRate: SAMPLE_RATE, outputSampleRate: SAMPLE_RATE, channels: 1, bitrate: KBPS });
  const parts: Buffer[] = [];
  for (let at = 0; at < samples.length; at += SAMPLE_RATE) {
    // Copied because the encoder reuses the returned array for the next part.
    parts.push(Buffer.from(encoder.encode([samples.subarray(at, at + SAMPLE_RATE)])));
  }
  parts.push(Buffer.from(encoder.finalize()));
  return Buffer.concat(parts);
}
