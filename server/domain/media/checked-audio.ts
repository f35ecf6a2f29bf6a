import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ByteSource } from '../../audio/bytes';
import type { Mp3 } from '../../audio/check-mp3';
import { type Chapter, readTags } from '../../audio/tags';
import { type ErrorParams, isDiskFull } from '../../base/errors';
import { COVER_LIMITS } from '../../limits/media';
import type { Ctx } from '../../runtime/ctx';
import { storePicture } from './covers';

/** The result of checking an uploaded file. `reason` and `warnings` are error codes with a text in the locales. */
export type ProbeResult =
  | {
      ok: true;
      /** The immutable key: `audio/{creator}/{episode}/{sha256}.mp3`. */
      audioKey: string;
      bytes: number;
      sha256: string;
      durationMs: number;
      /** Bits per second; the average for a VBR file. */
      bitrate: number;
      sampleRate: number;
      channels: number;
      /** Bytes before the first audio frame. */
      headBytes: number;
      warnings: string[];
      /** Base key of the cover made from the picture embedded in the file, if any. */
      coverKey: string | null;
      /** The chapters in the file. */
      chapters: Chapter[];
      /** The name of the uploaded file's format, if it was converted; null for an uploaded MP3. */
      convertedFrom: string | null;
    }
  | { ok: false; reason: string; params: ErrorParams };

/** An episode whose audio is checked. */
export type Probe = {
  uploadKey: string;
  creatorId: number;
  episodeId: number;
  /** The episode's current audio. */
  formerKey?: string | null;
};

export const audioFolder = ({ creatorId, episodeId }: Probe) => `audio/${creatorId}/${episodeId}/`;

type CheckedMp3 = {
  source: ByteSource;
  found: Mp3;
  convertedFrom: string | null;
  /** The cover inside a converted file. */
  picture: Uint8Array | null;
  read(): Promise<Readable>;
  /** Stores the file under its immutable key. Repeating it is harmless. */
  store(audioKey: string): Promise<void>;
};

/** Stores an MP3 that has passed the check, with the cover inside it. */
export async function keepMp3(ctx: Ctx, probe: Probe, checked: CheckedMp3): Promise<ProbeResult> {
  const { source, found, convertedFrom } = checked;
  const sha256 = await hashOf(await checked.read());
  const tags = await readTags(source);
  const coverKey = await storeEmbeddedCover(ctx, probe, tags.cover?.bytes ?? checked.picture);
  const audioKey = `${audioFolder(probe)}${sha256}.mp3`;
  await checked.store(audioKey);
  const { durationMs, bitrate, sampleRate, channels, audioStart } = found;
  const warnings = found.warnings.map((warning) => `audio.${warning}`);
  const facts = { durationMs, bitrate, sampleRate, channels, headBytes: audioStart, warnings, convertedFrom };
  return { ok: true, audioKey, bytes: source.size, sha256, ...facts, coverKey, chapters: tags.chapters };
}

async function hashOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(bytes, hash);
  return hash.digest('hex');
}

/**
 * Stores the embedded picture as a cover. An unusable picture is skipped, because it must not cause the audio to be
 * rejected.
 */
async function storeEmbeddedCover(ctx: Ctx, probe: Probe, bytes: Uint8Array | null): Promise<string | null> {
  try {
    const target = { folder: probe.creatorId, field: 'coverKey', crop: true, minPixels: COVER_LIMITS.minPixels };
    return bytes && (await storePicture(ctx, Buffer.from(bytes), target));
  } catch (err) {
    // the next attempt may have enough space
    if (isDiskFull(err)) throw err;
    ctx.log.info({ err, episodeId: probe.episodeId }, 'embedded picture skipped');
    return null;
  }
}
