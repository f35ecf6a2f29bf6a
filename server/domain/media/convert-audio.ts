import { createReadStream } from 'node:fs';
import type { ConversionFault, ConvertedMp3 } from '../../adapters/converter/port';
import { type ByteSource, readSlice } from '../../audio/bytes';
import { checkMp3 } from '../../audio/check-mp3';
import type { ConvertibleFormat } from '../../audio/container';
import { formatClock } from '../../base/clock';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { CONVERSION_LIMITS } from '../../limits/media';
import type { Ctx } from '../../runtime/ctx';
import { keepMp3, type Probe, type ProbeResult } from './checked-audio';
import { type NeedsConversion, probeAudio, withUpload } from './probe-audio';
import { formatName } from './rules';

const FAULTS = {
  too_long: 'audio.too_long_to_convert',
  no_sound: 'audio.no_sound',
  protected: 'audio.copy_protected',
  unreadable: 'audio.unreadable',
} satisfies Record<ConversionFault, string>;

/** A shorter result means that the file ends before its stated length. */
const MIN_SHARE = 0.98;
/** Formats state lengths with different precision. */
const SLACK_MS = 500;

/**
 * Checks an uploaded file, and converts a file of another format to an MP3 that passes the same check. The upload is
 * kept: the transaction that stores the result enqueues its deletion, so a crash at any point loses nothing.
 * @throws ConverterUnavailable, ENOSPC
 */
export async function convertAndProbe(ctx: Ctx, probe: Probe): Promise<ProbeResult> {
  const result = await probeAudio(ctx, probe);
  if (!('convertFrom' in result)) return result;
  return withUpload(ctx, probe, ({ key, file }) =>
    convertUpload(ctx, probe, { ...result, key, source: { size: file.bytes, read: file.readInto } }),
  );
}

type Original = NeedsConversion & { key: string; source: ByteSource };

async function convertUpload(ctx: Ctx, probe: Probe, { convertFrom, key, source }: Original): Promise<ProbeResult> {
  const began = performance.now();
  const { convertAudio, storage } = ctx.ports;
  const file = { format: convertFrom, bytes: source.size, read: () => storage.read(key) };
  const share = await presentShare(source, convertFrom);
  const converted = await convertAudio(file, (mp3) => keepConverted(ctx, probe, { mp3, convertFrom, share }));
  const ms = Math.round(performance.now() - began);
  ctx.log.info({ episodeId: probe.episodeId, convertFrom, bytes: source.size, ms }, 'audio converted');
  if (converted.ok) return converted.value;
  const { fault, messages } = converted;
  ctx.log.info({ episodeId: probe.episodeId, fault, messages }, 'audio rejected');
  const params = { format: formatName(convertFrom), hours: CONVERSION_LIMITS.hours };
  return { ok: false, reason: FAULTS[fault], params };
}

type Converted = { mp3: ConvertedMp3; convertFrom: ConvertibleFormat; share: number };

async function keepConverted(ctx: Ctx, probe: Probe, { mp3, convertFrom, share }: Converted): Promise<ProbeResult> {
  const { source, path, statedMs, picture } = mp3;
  const format = formatName(convertFrom);
  const found = await checkMp3(source, { minDurationMs: EPISODE_LIMITS.shortestMs });
  if (!found.ok) {
    const reason = found.reason === 'too_short' ? 'audio.too_short' : FAULTS.unreadable;
    return { ok: false, reason, params: { format } };
  }
  const present = Math.min(share, statedMs === null ? 1 : (found.durationMs + SLACK_MS) / statedMs);
  if (present < MIN_SHARE) {
    return { ok: false, reason: 'audio.file_ends_early', params: { format, at: formatClock(found.durationMs / 1000) } };
  }
  const bytes = source.size;
  return keepMp3(ctx, probe, {
    source,
    found,
    convertedFrom: format,
    picture,
    read: async () => createReadStream(path),
    store: (audioKey) => ctx.ports.storage.put(audioKey, createReadStream(path), { contentType: 'audio/mpeg', bytes }),
  });
}

/** Sizes outside these bounds come from programs that write to a pipe. */
const UNKNOWN_SIZES = { min: 1, max: 0x7fff_0000 };

/** The share of a WAV that has arrived. FFmpeg does not notice that a truncated file ends early. */
async function presentShare(source: ByteSource, format: ConvertibleFormat): Promise<number> {
  if (format !== 'wav') return 1;
  const head = Buffer.from(await readSlice(source, 0, 8));
  if (head.length < 8 || head.toString('latin1', 0, 4) !== 'RIFF') return 1;
  const stated = head.readUInt32LE(4);
  return stated < UNKNOWN_SIZES.min || stated > UNKNOWN_SIZES.max ? 1 : source.size / (stated + 8);
}
