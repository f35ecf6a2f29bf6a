import { type ByteSource, bufferSource } from './bytes';
import type { Mp3Reason } from './check-mp3';
import { clipSound } from './clip-sound';
import { encodeWithFfmpeg } from './encode-ffmpeg';
import { encodeStream, nearestBitrate } from './encode-mp3';
import { bitratesOf } from './frame-header';
import { type FrameIndex, type Indexed, indexMp3 } from './indexing';
import { loudnessMeter } from './loudness';

/** The required format: that of the episode (an index fits), and the episode's loudness if known. */
export type Target = Pick<FrameIndex, 'version' | 'sampleRate' | 'channels' | 'bitrate'> & { lufs: number | null };

/**
 * `clip_too_long` over ten minutes, not counting an encoder's padding · `clip_undecodable` the decoder failed ·
 * `clip_encoder_failed` the encoder failed or wrote something that can't be spliced; or a reason of the check.
 */
export type ConformReason = Mp3Reason | (typeof CONFORM_REASONS)[number];
export const CONFORM_REASONS = ['clip_too_long', 'clip_undecodable', 'clip_encoder_failed'] as const;

/**
 * Why a clip's bit rate differs from the episode's: `average` the average of a VBR episode lies between the bit rates
 * of the format · `encoder` LAME in WebAssembly lacks 56 and 144 kbit/s (FFmpeg has them), and no LAME exceeds 64
 * kbit/s for MPEG-2.5.
 */
export type OtherBitrate = 'average' | 'encoder';

export type ConformedClip = {
  ok: true;
  mp3: Uint8Array;
  /** How much louder the result is than the clip. */
  gainDb: number;
  /** Measured in the result. */
  lufs: number | null;
  /** In bits per second, as encoded. */
  bitrate: number;
  /** Null if it is the episode's. */
  otherBitrate: OtherBitrate | null;
};
export type Conformed = ConformedClip | ConformFault;
type ConformFault = { ok: false; reason: ConformReason; detail: string };

export type ConformOptions = {
  /** A system FFmpeg to encode with; without it, LAME in WebAssembly is used. */
  ffmpegPath?: string | null;
};

/** A clip is an advertisement or announcement, not an episode. */
const LONGEST_MS = 10 * 60_000;
/** Encoders add up to four frames of silence, which are 72 ms each at 8 kHz. */
const PADDING_MS = 4 * 72;
/** A larger correction means a broken recording, not a different level. */
const MAX_GAIN_DB = 20;
/** Encoding slightly raises the highest samples. */
const HIGHEST_PEAK = 0.95;
/**
 * LAME scales its input down, by 0.95 at most bit rates. A first guess close to that often needs no second encoding.
 */
const USUAL_LOSS_DB = 0.45;
/** Below 0.1, because our measurement has an error of its own. */
const MAX_OFF_DB = 0.08;
/** At a few kilobits per second, the level of the result follows the gain only roughly. */
const MAX_ENCODINGS = 6;
/** A clip cut from another file may start with undecodable frames; more is damage. */
const MAX_UNDECODED = 3;

/**
 * Converts a clip to its episode's format and loudness, so that both fit into one file. It decodes the clip once for
 * each pass, first to measure the loudness: keeping ten minutes of samples would take 200 MB.
 */
export async function conform(clip: ByteSource, target: Target, options: ConformOptions = {}): Promise<Conformed> {
  const indexed = await indexMp3(clip);
  if (!indexed.ok) return indexed;
  if (indexed.mp3.durationMs > LONGEST_MS + PADDING_MS) return fault('clip_too_long', `${indexed.mp3.durationMs} ms`);
  const levels = await measureLevels(clip, indexed, target.channels);
  const { undecodedFrames, decoderError } = levels;
  if (undecodedFrames > MAX_UNDECODED) return fault('clip_undecodable', `${undecodedFrames} frames, ${decoderError}`);
  try {
    return await encodeAtLoudness(clip, indexed, { target, levels, ...options });
  } catch (error) {
    return fault('clip_encoder_failed', String(error));
  }
}

type Levels = { lufs: number | null; peak: number };

/** Encodes, measures the result and encodes again until the loudness is right or a sample would be too high. */
async function encodeAtLoudness(
  clip: ByteSource,
  indexed: Indexed,
  { target, levels, ffmpegPath }: { target: Target; levels: Levels } & ConformOptions,
): Promise<Conformed> {
  const { lufs, peak } = levels;
  const gainDb = gainFor(lufs, target.lufs, peak);
  const intended = { lufs: lufs === null ? null : lufs + gainDb, peak, gainDb };
  let encoderGainDb = gainDb + (lufs === null ? 0 : USUAL_LOSS_DB);
  let best: { off: number; clip: ConformedClip } | null = null;
  for (let count = 0; count < MAX_ENCODINGS; count++) {
    const encoded = await encodeClip(clip, indexed, { target, gainDb: encoderGainDb, ffmpegPath });
    const checked = await checkResult(encoded, target);
    if (!checked.ok) return checked;
    const made = await measureLevels(bufferSource(encoded.mp3), checked, target.channels);
    const off = correctionFor(made, intended);
    const actualGainDb = made.lufs === null || lufs === null ? gainDb : made.lufs - lufs;
    if (best === null || Math.abs(off) < Math.abs(best.off))
      best = { off, clip: { ok: true, ...encoded, gainDb: actualGainDb, lufs: made.lufs } };
    if (Math.abs(off) <= MAX_OFF_DB) break;
    encoderGainDb += off;
  }
  return best!.clip;
}

/** The gain that is still missing, as far as the highest sample allows. */
function correctionFor(made: Levels, { lufs, peak, gainDb }: Levels & { gainDb: number }): number {
  if (made.lufs === null || lufs === null) return 0;
  const highest = Math.max(HIGHEST_PEAK, peak * 10 ** (gainDb / 20));
  const room = 20 * Math.log10(highest / Math.max(made.peak, 1e-6));
  // only a clip that was made louder may be made quieter to keep its highest sample below the limit
  return Math.min(lufs - made.lufs, gainDb > 0 ? room : Math.max(0, room));
}

async function measureLevels(clip: ByteSource, indexed: Indexed, channels: 1 | 2) {
  const sound = clipSound(clip, indexed, { channels, gainDb: 0 });
  const meter = loudnessMeter(indexed.index.sampleRate, channels);
  for await (const piece of sound.pieces) meter.add(piece);
  return { lufs: meter.integrated(), peak: meter.peak(), ...sound.losses() };
}

type Encoding = { target: Target; gainDb: number } & ConformOptions;

async function encodeClip(clip: ByteSource, indexed: Indexed, { target, gainDb, ffmpegPath }: Encoding) {
  const { version, sampleRate, channels } = target;
  const kbps = nearestBitrate(version, target.bitrate, ffmpegPath ? 'ffmpeg' : 'wasm');
  const { pieces } = clipSound(clip, indexed, { channels, gainDb });
  const sound = { sampleRate: indexed.index.sampleRate, channels, pieces };
  const format = { version, sampleRate, channels, kbps };
  const mp3 = ffmpegPath ? await encodeWithFfmpeg(ffmpegPath, sound, format) : await encodeStream(sound, format);
  const bitrate = kbps * 1000;
  return { mp3, bitrate, otherBitrate: bitrate === target.bitrate ? null : otherBitrateReason(target) };
}

function otherBitrateReason({ version, bitrate }: Target): OtherBitrate {
  return bitratesOf(version).includes(bitrate / 1000) ? 'encoder' : 'average';
}

/** Checks that the result can be spliced anywhere: same format, and no bytes needed from before it. */
async function checkResult(
  encoded: { mp3: Uint8Array; bitrate: number },
  target: Target,
): Promise<Indexed | ConformFault> {
  const indexed = await indexMp3(bufferSource(encoded.mp3));
  if (!indexed.ok) return fault('clip_encoder_failed', `${indexed.reason}: ${indexed.detail}`);
  const { version, sampleRate, channels, bitrate, needs } = indexed.index;
  const isSameFormat = sampleRate === target.sampleRate && channels === target.channels && version === target.version;
  if (isSameFormat && bitrate === encoded.bitrate && needs[0] === 0) return indexed;
  return fault('clip_encoder_failed', `${version}/${sampleRate}/${channels}/${bitrate}/${needs[0]}`);
}

function gainFor(lufs: number | null, targetLufs: number | null, peak: number): number {
  if (lufs === null || targetLufs === null) return 0;
  const gain = Math.min(MAX_GAIN_DB, Math.max(-MAX_GAIN_DB, targetLufs - lufs));
  const room = 20 * Math.log10(HIGHEST_PEAK / Math.max(peak, 1e-6));
  return gain > 0 ? Math.max(0, Math.min(gain, room)) : gain;
}

function fault(reason: ConformReason, detail: string): ConformFault {
  return { ok: false, reason, detail };
}
