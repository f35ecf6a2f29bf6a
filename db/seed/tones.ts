import { createMp3Encoder } from 'wasm-media-encoders';
import { type Chance, chance } from './chance';
import { echo, finish, play, SAMPLE_RATE, TIMBRES, tick } from './synthesizer';

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
/** Eighths of a bar on which the melody speaks. */
const RHYTHMS = [
  [0, 3, 4, 6],
  [0, 2, 3, 5, 6],
  [1, 3, 4, 7],
  [0, 1, 4, 6, 7],
  [2, 4, 5],
] as const;
const BEATS = 4;
const KBPS = 64;

type Piece = {
  random: Chance;
  samples: Float32Array;
  bars: number;
  barSeconds: number;
  /** The MIDI note of a step of the scale; steps go on over the octaves. */
  pitch(step: number, octave: number): number;
  chord(bar: number): number;
};

/** A short quiet piece of music as a complete MP3, the same for the same seed: the demo's episodes. */
export async function synthesizeTune(seed: string, seconds: number): Promise<Buffer> {
  return encode(compose(seed, seconds));
}

function compose(seed: string, seconds: number): Float32Array {
  const random = chance(seed);
  const barSeconds = (BEATS * 60) / random.whole(76, 104);
  const scale = random.pick(SCALES);
  const progression = random.pick(PROGRESSIONS);
  const root = random.whole(48, 57);
  const piece: Piece = {
    random,
    samples: new Float32Array(Math.round(seconds * SAMPLE_RATE)),
    bars: Math.ceil(seconds / barSeconds),
    barSeconds,
    pitch: (step, octave) => root + 12 * (octave + Math.floor(step / 7)) + scale[((step % 7) + 7) % 7]!,
    chord: (bar) => progression[bar % progression.length]!,
  };
  playMelody(piece);
  echo(piece.samples, (barSeconds / BEATS) * 0.75, 0.34);
  playGround(piece);
  finish(piece.samples, 0.7, 4);
  return piece.samples;
}

/** A motif of two bars that comes back, moved along with the chords and sometimes varied. */
function playMelody({ random, samples, bars, barSeconds, pitch, chord }: Piece): void {
  const timbre = random.pick([TIMBRES.pluck, TIMBRES.bell]);
  const motif = [0, 1].map(() => random.pick(RHYTHMS).map((eighth) => ({ eighth, step: random.whole(0, 6) })));
  for (let bar = 2; bar < bars - 1; bar++) {
    const rests = bar % 16 >= 14;
    if (rests) continue;
    for (const { eighth, step } of motif[bar % 2]!) {
      const varied = random.next() < 0.2 ? step + random.pick([-1, 1, 2]) : step;
      const at = (bar + eighth / 8) * barSeconds;
      const gain = 0.24 + 0.06 * random.next();
      play(samples, timbre, { at, seconds: barSeconds / 6, midi: pitch(chord(bar) + varied, 1), gain });
    }
  }
}

/** Chords from the first bar on, the bass from the third, the beat from the fifth. */
function playGround({ random, samples, bars, barSeconds, pitch, chord }: Piece): void {
  for (let bar = 0; bar < bars; bar++) {
    const at = bar * barSeconds;
    for (const third of [0, 2, 4]) {
      play(samples, TIMBRES.pad, { at, seconds: barSeconds * 0.9, midi: pitch(chord(bar) + third, 0), gain: 0.11 });
    }
    if (bar < 2 || bar >= bars - 1) continue;
    for (const beat of [0, 1.5, 2]) {
      const gain = beat === 1.5 ? 0.14 : 0.26;
      play(samples, TIMBRES.bass, {
        at: at + (beat * barSeconds) / BEATS,
        seconds: 0.4,
        midi: pitch(chord(bar), -1),
        gain,
      });
    }
    if (bar < 4 || bar % 8 === 7) continue;
    for (let eighth = 0; eighth < 8; eighth++) {
      tick(samples, at + (eighth * barSeconds) / 8, eighth % 4 === 2 ? 0.07 : 0.025, random.next);
    }
  }
}

async function encode(samples: Float32Array): Promise<Buffer> {
  const encoder = await createMp3Encoder();
  // Without `outputSampleRate` LAME silently picks a lower rate at low bit rates.
  encoder.configure({ sampleRate: SAMPLE_RATE, outputSampleRate: SAMPLE_RATE, channels: 1, bitrate: KBPS });
  const parts: Buffer[] = [];
  for (let at = 0; at < samples.length; at += SAMPLE_RATE) {
    // A copy: the encoder writes the next part over the array that it answers.
    parts.push(Buffer.from(encoder.encode([samples.subarray(at, at + SAMPLE_RATE)])));
  }
  parts.push(Buffer.from(encoder.finalize()));
  return Buffer.concat(parts);
}
