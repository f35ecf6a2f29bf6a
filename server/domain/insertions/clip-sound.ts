import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { clipNotFound } from './errors';
import { findClipRow } from './queries';

/** A clip's own file, for members of its creator's team. @throws clip.not_found */
export async function findClipSound(
  ctx: Pick<Ctx, 'db' | 'actor'>,
  id: number,
): Promise<{ key: string; bytes: number }> {
  const { audioKey, audioBytes } = authorize(ctx, 'clip.read', await findClipRow(ctx, id));
  if (audioKey === null || audioBytes === null) throw clipNotFound();
  return { key: audioKey, bytes: audioBytes };
}
