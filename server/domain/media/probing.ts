import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { OpenObject } from '../../adapters/storage/port';
import { checkMp3, type Mp3Fault } from '../../audio/check-mp3';
import { embeddedPicture } from '../../audio/tags';
import type { Ctx } from '../../ctx';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { storePicture } from './covers';
import { incomingKey } from './rules';

/** What reading an uploaded file says of it. `reason` and `warnings` are error codes with a sentence in the locales. */
export type ProbeResult =
  | {
      ok: true;
      /** Its immutable place: `audio/{creator}/{episode}/{sha256}.mp3`. */
      audioKey: string;
      bytes: number;
      sha256: string;
      durationMs: number;
      /** Bits per second, the average of a VBR file. */
      bitrate: number;
      sampleRate: number;
      channels: number;
      /** Bytes before the first audio frame. */
      headBytes: number;
      warnings: string[];
      /** Base key of a cover made of the picture inside the file, if it has one. */
      coverKey: string | null;
    }
  | { ok: false; reason: string };

type Probe = { uploadKey: string; creatorId: number; episodeId: number };

/** Reads the file of an upload and moves it to its immutable place. Can be run again after a crash at any point. */
export async function probeAudio(ctx: Ctx, probe: Probe): Promise<ProbeResult> {
  const folder = `audio/${probe.creatorId}/${probe.episodeId}/`;
  const foundAt = await locate(ctx, incomingKey(probe.uploadKey), folder);
  const file = foundAt ? await ctx.ports.storage.open(foundAt) : null;
  if (!file || !foundAt) return { ok: false, reason: 'audio.missing' };
  try {
    const source = { size: file.bytes, read: file.readInto };
    const found = await checkMp3(source, { minDurationMs: EPISODE_LIMITS.shortestMs });
    if (!found.ok) return refusal(ctx, probe, found);
    const sha256 = await hashOf(ctx, foundAt);
    const coverKey = await coverWithin(ctx, probe, file);
    const audioKey = `${folder}${sha256}.mp3`;
    if (foundAt !== audioKey) await ctx.ports.storage.move(foundAt, audioKey);
    const { durationMs, bitrate, sampleRate, channels, audioStart } = found;
    const warnings = found.warnings.map((warning) => `audio.${warning}`);
    const facts = { durationMs, bitrate, sampleRate, channels, headBytes: audioStart, warnings };
    return { ok: true, audioKey, bytes: file.bytes, sha256, ...facts, coverKey };
  } finally {
    await file.close();
  }
}

/** The upload, or, when an earlier try had moved it already, the youngest file of the episode. */
async function locate(ctx: Ctx, incoming: string, folder: string): Promise<string | null> {
  if (await ctx.ports.storage.head(incoming)) return incoming;
  const moved = await ctx.ports.storage.list(folder, 100);
  moved.sort((a, b) => b.modifiedAt.getTime() - a.modifiedAt.getTime());
  return moved[0]?.key ?? null;
}

function refusal(ctx: Ctx, { episodeId }: Probe, { reason, detail }: Mp3Fault): ProbeResult {
  ctx.log.info({ episodeId, reason, detail }, 'audio refused');
  return { ok: false, reason: `audio.${reason}` };
}

async function hashOf(ctx: Ctx, key: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(await ctx.ports.storage.read(key), hash);
  return hash.digest('hex');
}

/** A picture that can't be used is no reason to refuse the sound. */
async function coverWithin(ctx: Ctx, probe: Probe, file: OpenObject): Promise<string | null> {
  try {
    const picture = await embeddedPicture({ size: file.bytes, read: file.readInto });
    return picture && (await storePicture(ctx, picture, { folder: probe.creatorId, field: 'coverKey', crop: true }));
  } catch (err) {
    ctx.log.info({ err, episodeId: probe.episodeId }, 'embedded picture left out');
    return null;
  }
}
