import { type ByteSource, bufferSource } from './bytes';
import type { Mp3Reason } from './check-mp3';
import { openDecoder } from './decode';
import { encodeWithFfmpeg } from './encode-ffmpeg';
import { encodeMp3, nearestBitrate } from './encode-mp3';
import { readFrames } from './frame-reader';
import { type FrameIndex, indexMp3 } from './indexing';
import type { Gapless } from './info-frame';
import { loudnessMeter } from './loudness';

/** What the clip is to become: the format of its episode (an index fits), and the episode's loudness where it is known. */
export type Target = Pick<FrameIndex, 'version' | 'sampleRate' | 'channels' | 'bitrate'> & { lufs: number | null };

/**
 * `clip_too_long` it would not fit into memory as sound · `clip_undecodable` the decoder gives up on it ·
 * `clip_encoder_failed` the encoder did, or made something that can't be spliced; or the check's own reasons.
 */
export type ConformReason = Mp3Reason | (typeof CONFORM_REASONS)[number];
export const CONFORM_REASONS = ['clip_too_long', 'clip_undecodable', 'clip_encoder_failed'] as const;

export type Conformed =
  | { ok: true; mp3: Uint8Array; gainDb: number; lufs: number | null }
  | { ok: false; reason: ConformReason; detail: string };

/** A clip is an advertisement or a notice; ten minutes of stereo are 200 MB of samples. */
const LONGEST_MS = 10 * 60_000;
/** Louder or quieter by more than this is no matter of levels but a broken recording. */
const MAX_GAIN_DB = 20;
/** Encoding adds a little to the highest samples. */
const HIGHEST_PEAK = 0.95;
/** What an MP3 decoder itself adds in front, by which an encoder's figures have to be moved. */
const DECODER_DELAY = 529;
/** Undecodable frames at the beginning of a clip that was cut from something; more is damage. */
const MAX_UNDECODED = 3;

/**
 * Decodes a clip and encodes it once as its episode is encoded, so that both can stand in one file, and as loud.
 * @param options.ffmpegPath a system FFmpeg to encode with; without it LAME as WebAssembly does
 */
export async function conform(
  clip: ByteSource,
  target: Target,
  options: { ffmpegPath?: string | null } = {},
): Promise<Conformed> {
  const found = await indexMp3(clip);
  if (!found.ok) return found;
  if (found.mp3.durationMs > LONGEST_MS) return fault('clip_too_long', `${found.mp3.durationMs} ms`);
  const sound = await decodeAll(clip, found.index);
  if (sound.undecoded > MAX_UNDECODED)
    return fault('clip_undecodable', `${sound.undecoded} frames, ${sound.complaint}`);
  const channels = inChannels(trimmed(sound.channels, found.mp3.infoFrame?.gapless ?? null), target.channels);
  const meter = loudnessMeter(found.index.sampleRate, target.channels);
  meter.add(channels);
  const lufs = meter.integrated();
  const gainDb = gainFor(lufs, target.lufs, meter.peak());
  const format = { ...target, kbps: nearestBitrate(target.version, target.bitrate) };
  const pcm = { sampleRate: found.index.sampleRate, channels: amplified(channels, gainDb) };
  try {
    const mp3 = options.ffmpegPath
      ? await encodeWithFfmpeg(options.ffmpegPath, pcm, format)
      : await encodeMp3(pcm, format);
    return accepted(mp3, target, { gainDb, lufs: lufs === null ? null : lufs + gainDb });
  } catch (error) {
    return fault('clip_encoder_failed', String(error));
  }
}

/** What was made has to stand anywhere: same format, and nothing needed from before it. */
async function accepted(
  mp3: Uint8Array,
  target: Target,
  levels: { gainDb: number; lufs: number | null },
): Promise<Conformed> {
  const made = await indexMp3(bufferSource(mp3));
  if (!made.ok) return fault('clip_encoder_failed', `${made.reason}: ${made.detail}`);
  const { sampleRate, channels, version, needs } = made.index;
  const same = sampleRate === target.sampleRate && channels === target.channels && version === target.version;
  if (!same || needs[0] !== 0) return fault('clip_encoder_failed', `${version}/${sampleRate}/${channels}/${needs[0]}`);
  return { ok: true, mp3, ...levels };
}

async function decodeAll(source: ByteSource, index: FrameIndex) {
  const decoder = await openDecoder(index.channels);
  const samples = index.frames * index.samplesPerFrame;
  const channels = Array.from({ length: index.channels }, () => new Float32Array(samples));
  let complaints: string[] = [];
  let filled = 0;
  try {
    for await (const { bytes } of readFrames(source, index)) {
      const pcm = decoder.decode(bytes);
      complaints = complaints.concat(pcm.errors);
      const room = Math.min(pcm.samples, samples - filled);
      channels.forEach((channel, i) => {
        channel.set(pcm.channels[i]!.subarray(0, room), filled);
      });
      filled += room;
    }
  } finally {
    decoder.free();
  }
  const missing = Math.round((samples - filled) / index.samplesPerFrame);
  const heard = channels.map((channel) => channel.subarray(0, filled));
  return { channels: heard, undecoded: complaints.length + missing, complaint: complaints[0] ?? 'frames left out' };
}

function trimmed(channels: Float32Array[], gapless: Gapless | null): Float32Array[] {
  if (!gapless) return channels;
  const start = gapless.delay + DECODER_DELAY;
  const end = channels[0]!.length - Math.max(0, gapless.padding - DECODER_DELAY);
  return start < end ? channels.map((channel) => channel.subarray(start, end)) : channels;
}

function inChannels(channels: Float32Array[], wanted: 1 | 2): Float32Array[] {
  const [left, right] = channels as [Float32Array, Float32Array | undefined];
  if (wanted === 2) return [left, right ?? left];
  return right ? [left.map((x, i) => (x + right[i]!) / 2)] : [left];
}

function gainFor(lufs: number | null, wanted: number | null, peak: number): number {
  if (lufs === null || wanted === null) return 0;
  const gain = Math.min(MAX_GAIN_DB, Math.max(-MAX_GAIN_DB, wanted - lufs));
  const room = 20 * Math.log10(HIGHEST_PEAK / Math.max(peak, 1e-6));
  return gain > 0 ? Math.max(0, Math.min(gain, room)) : gain;
}

function amplified(channels: Float32Array[], gainDb: number): Float32Array[] {
  if (gainDb === 0) return channels;
  const factor = 10 ** (gainDb / 20);
  return channels.map((channel) => channel.map((x) => x * factor));
}

function fault(reason: ConformReason, detail: string): Conformed {
  return { ok: false, reason, detail };
}
