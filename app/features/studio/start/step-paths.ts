import type { Paths } from '~/app/lib/paths';
import type { StartStep } from '~/server/domain/accounts/base/rules';

/** The page of a step. The wizard and the studio share the form for a show. */
export function stepPath(paths: Paths, step: StartStep): string {
  return step === 'product' ? paths.createProduct : paths.start(step);
}

type Progress = { next: StartStep | null; isOver: boolean };

/** The page after a step: the next open step, or the studio's home, which leads listeners to their feed. */
export function nextPath(paths: Paths, { next, isOver }: Progress): string {
  return next === null || isOver ? paths.dashboard : stepPath(paths, next);
}
