import type { OpenObject } from '../../adapters/storage/port';
import { checkMp3, type Mp3Fault } from '../../audio/check-mp3';
import { type ConvertibleFormat, isConvertible } from '../../audio/container';
import { formatClock } from '../../base/clock';
import { type ErrorParams, ObjectMissing } from '../../base/errors';
import { EPISODE_LIMITS } from '../../limits/episodes';
import type { Ctx } from '../../runtime/ctx';
import { audioFolder, keepMp3, type Probe, type ProbeResult } from './checked-audio';
import { formatName, incomingKey, otherFormatCode } from './rules';
import { isBackupRunning } from './sweep-uploads';

/** The file is not an MP3, but can be converted, which takes minutes (convert-audio.ts). */
export type NeedsConversion = { ok: false; convertFrom: ConvertibleFormat };

const MISSING: ProbeResult = { ok: false, reason: 'audio.missing', params: {} };

/** Checks an uploaded file and moves it to its immutable key. Safe to repeat after a crash at any point. */
export function probeAudio(ctx: Ctx, probe: Probe): Promise<ProbeResult | NeedsConversion> {
  return withUpload(ctx, probe, async ({ key, file }) => {
    const source = { size: file.bytes, read: file.readInto };
    const found = await checkMp3(source, { minDurationMs: EPISODE_LIMITS.shortestMs });
    if (!found.ok)
      return ctx.settings.convertsAudio && isConvertible(found.format)
        ? { ok: false, convertFrom: found.format }
        : rejected(ctx, probe, found);
    return keepMp3(ctx, probe, {
      source,
      found,
      convertedFrom: null,
      picture: null,
      read: () => ctx.ports.storage.read(key),
      store: async (audioKey) => {
        if (key !== audioKey) await moveUpload(ctx, key, audioKey);
      },
    });
  });
}

/**
 * A running backup may have rows that refer to the upload, so the upload stays until the sweep of expired uploads
 * deletes it. The transaction keeps a backup from starting meanwhile. Another attempt at the same check may have moved
 * the file since this one has opened it; `to` contains the hash of its bytes.
 */
async function moveUpload(ctx: Ctx, from: string, to: string): Promise<void> {
  const { storage } = ctx.ports;
  await ctx.db
    .transaction(async (db) => ((await isBackupRunning({ db })) ? storage.copy(from, to) : storage.move(from, to)))
    .catch(async (error: unknown) => {
      if (!(error instanceof ObjectMissing) || !(await storage.head(to))) throw error;
    });
}

type Upload = { key: string; file: OpenObject };

/** Opens the upload; the result is `audio.missing` if it is gone. */
export async function withUpload<T>(ctx: Ctx, probe: Probe, work: (upload: Upload) => Promise<T>) {
  const key = await findFile(ctx, probe, audioFolder(probe));
  const file = key ? await ctx.ports.storage.open(key) : null;
  if (!key || !file) return MISSING;
  try {
    return await work({ key, file });
  } finally {
    await file.close();
  }
}

/**
 * Finds the upload. If an earlier attempt has already moved it, finds the newest file of the episode. The current audio
 * counts only if it is the only file, which means that the same file was uploaded again.
 */
async function findFile(ctx: Ctx, { uploadKey, formerKey }: Probe, folder: string): Promise<string | null> {
  const incoming = incomingKey(uploadKey);
  if (await ctx.ports.storage.head(incoming)) return incoming;
  // promos are in a subfolder
  const isAudio = ({ key }: { key: string }) => key.endsWith('.mp3') && !key.slice(folder.length).includes('/');
  const moved = (await ctx.ports.storage.list(folder, 100)).filter(isAudio);
  const age = (file: { key: string; modifiedAt: Date }) => (file.key === formerKey ? 0 : file.modifiedAt.getTime());
  moved.sort((a, b) => age(b) - age(a));
  return moved[0]?.key ?? null;
}

function rejected(ctx: Ctx, { episodeId }: Probe, { reason, detail, format, ends }: Mp3Fault): ProbeResult {
  ctx.log.info({ episodeId, reason, detail }, 'audio rejected');
  const { convertsAudio } = ctx.settings;
  if (ends) return { ok: false, reason: 'audio.ends_early', params: clocks(ends) };
  if (!format) {
    const code = convertsAudio && reason === 'not_mp3' ? 'not_audio' : reason;
    return { ok: false, reason: `audio.${code}`, params: {} };
  }
  // uploads whose name has another extension were refused before
  const name = formatName(format);
  const code = convertsAudio ? 'upload.unaccepted' : otherFormatCode('renamed', name);
  return { ok: false, reason: code, params: { format: name } };
}

function clocks({ atMs, ofMs }: { atMs: number; ofMs: number }): ErrorParams {
  return { time: formatClock(atMs / 1000), length: formatClock(ofMs / 1000) };
}
