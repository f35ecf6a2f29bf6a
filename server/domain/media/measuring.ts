import { indexMp3 } from '../../audio/indexing';
import type { Ctx } from '../../ctx';

/**
 * The integrated loudness of a stored MP3 in LUFS; null for silence, and if the file was deleted. Decodes the whole
 * file on a thread, which takes seconds for an hour of audio.
 */
export async function measureLoudness(ctx: Pick<Ctx, 'ports'>, audioKey: string): Promise<number | null> {
  const file = await ctx.ports.storage.open(audioKey);
  if (!file) return null;
  try {
    const source = { size: file.bytes, read: file.readInto };
    const found = await indexMp3(source);
    return found.ok ? (await ctx.ports.measureSound(source, found.index)).lufs : null;
  } finally {
    await file.close();
  }
}
