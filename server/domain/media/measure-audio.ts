import { indexMp3 } from '../../audio/indexing';
import type { Ctx } from '../../runtime/ctx';

/** `lufs`: integrated loudness, null for silence. `peaksKey`: the object with the waveform (`Waveform` as JSON). */
export type MeasuredAudio = { lufs: number | null; peaksKey: string };

/**
 * Measures a stored MP3 and stores its waveform beside it. Null if the file was deleted. Decodes the whole file once, on
 * a thread, which takes seconds for an hour of audio.
 */
export async function measureAudio(ctx: Pick<Ctx, 'ports'>, audioKey: string): Promise<MeasuredAudio | null> {
  const file = await ctx.ports.storage.open(audioKey);
  if (!file) return null;
  try {
    const source = { size: file.bytes, read: file.readInto };
    const found = await indexMp3(source);
    if (!found.ok) return null;
    const { lufs, zooms, silences } = await ctx.ports.measureSound(source, found.index);
    const peaksKey = audioKey.replace(/\.mp3$/, '.peaks.json');
    const waveform = { durationMs: found.mp3.durationMs, zooms, silences };
    await ctx.ports.storage.put(peaksKey, Buffer.from(JSON.stringify(waveform)), { contentType: 'application/json' });
    return { lufs, peaksKey };
  } finally {
    await file.close();
  }
}
