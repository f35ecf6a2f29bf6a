import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { checkMp3, type Mp3Fault } from '../../audio/check-mp3';
import { type Chapter, readTags, type Tags } from '../../audio/tags';
import type { Ctx } from '../../ctx';
import { type ErrorParams, isDiskFull } from '../../errors';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { COVER_LIMITS } from '../../limits/media';
import { formatClock } from '../../time';
import { storePicture } from './covers';
import { formatName, incomingKey, otherFormatCode } from './rules';

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
      /** As the file states them. */
      chapters: Chapter[];
    }
  | { ok: false; reason: string; params: ErrorParams };

type Probe = {
  uploadKey: string;
  creatorId: number;
  episodeId: number;
  /** The audio so far. */
  formerKey?: string | null;
};

/** Checks an uploaded file and moves it to its immutable key. Safe to repeat after a crash at any point. */
export async function probeAudio(ctx: Ctx, probe: Probe): Promise<ProbeResult> {
  const folder = `audio/${probe.creatorId}/${probe.episodeId}/`;
  const storedAt = await findFile(ctx, probe, folder);
  const file = storedAt ? await ctx.ports.storage.open(storedAt) : null;
  if (!file || !storedAt) return { ok: false, reason: 'audio.missing', params: {} };
  try {
    const source = { size: file.bytes, read: file.readInto };
    const found = await checkMp3(source, { minDurationMs: EPISODE_LIMITS.shortestMs });
    if (!found.ok) return rejected(ctx, probe, found);
    const sha256 = await hashObject(ctx, storedAt);
    const tags = await readTags(source);
    const coverKey = await storeEmbeddedCover(ctx, probe, tags);
    const audioKey = `${folder}${sha256}.mp3`;
    if (storedAt !== audioKey) await ctx.ports.storage.move(storedAt, audioKey);
    const { durationMs, bitrate, sampleRate, channels, audioStart } = found;
    const warnings = found.warnings.map((warning) => `audio.${warning}`);
    const facts = { durationMs, bitrate, sampleRate, channels, headBytes: audioStart, warnings };
    return { ok: true, audioKey, bytes: file.bytes, sha256, ...facts, coverKey, chapters: tags.chapters };
  } finally {
    await file.close();
  }
}

/**
 * Finds the upload. If an earlier attempt has already moved it, finds the newest file of the episode: the audio so far
 * only if there is no other, which means that the same file was uploaded again.
 */
async function findFile(ctx: Ctx, { uploadKey, formerKey }: Probe, folder: string): Promise<string | null> {
  const incoming = incomingKey(uploadKey);
  if (await ctx.ports.storage.head(incoming)) return incoming;
  // its promo is in a folder below
  const isAudio = ({ key }: { key: string }) => key.endsWith('.mp3') && !key.slice(folder.length).includes('/');
  const moved = (await ctx.ports.storage.list(folder, 100)).filter(isAudio);
  const age = (file: { key: string; modifiedAt: Date }) => (file.key === formerKey ? 0 : file.modifiedAt.getTime());
  moved.sort((a, b) => age(b) - age(a));
  return moved[0]?.key ?? null;
}

function rejected(ctx: Ctx, { episodeId }: Probe, { reason, detail, format, ends }: Mp3Fault): ProbeResult {
  ctx.log.info({ episodeId, reason, detail }, 'audio rejected');
  if (ends) return { ok: false, reason: 'audio.ends_early', params: clocks(ends) };
  if (!format) return { ok: false, reason: `audio.${reason}`, params: {} };
  // uploads without an .mp3 name never get this far
  const name = formatName(format);
  return { ok: false, reason: otherFormatCode('renamed', name), params: { format: name } };
}

function clocks({ atMs, ofMs }: { atMs: number; ofMs: number }): ErrorParams {
  return { time: formatClock(atMs / 1000), length: formatClock(ofMs / 1000) };
}

async function hashObject(ctx: Ctx, key: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(await ctx.ports.storage.read(key), hash);
  return hash.digest('hex');
}

/** Stores the embedded picture as a cover. An unusable picture is skipped: it is no reason to reject the audio. */
async function storeEmbeddedCover(ctx: Ctx, probe: Probe, { cover }: Tags): Promise<string | null> {
  try {
    const target = { folder: probe.creatorId, field: 'coverKey', crop: true, minPixels: COVER_LIMITS.minPixels };
    return cover && (await storePicture(ctx, Buffer.from(cover.bytes), target));
  } catch (err) {
    // the next attempt may have room for it
    if (isDiskFull(err)) throw err;
    ctx.log.info({ err, episodeId: probe.episodeId }, 'embedded picture skipped');
    return null;
  }
}
