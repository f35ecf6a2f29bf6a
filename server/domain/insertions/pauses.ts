import { json } from 'node:stream/consumers';
import type { Silence } from '../../audio/peaks';
import { ObjectMissing } from '../../base/errors';
import type { Ctx } from '../../runtime/ctx';
import { type Pause, pausesOf } from './rules';

type Measured = { peaksKey: string | null; durationMs: number | null };

/** The pauses of an episode's file, as its measurement has found them; null if it is not measured yet. */
export async function readPauses(
  { ports: { storage } }: Pick<Ctx, 'ports'>,
  { peaksKey, durationMs }: Measured,
): Promise<Pause[] | null> {
  if (peaksKey === null || durationMs === null) return null;
  try {
    const { silences = [] } = (await json(await storage.read(peaksKey))) as { silences?: Silence[] };
    return pausesOf(silences, durationMs);
  } catch (error) {
    if (error instanceof ObjectMissing) return null;
    throw error;
  }
}
