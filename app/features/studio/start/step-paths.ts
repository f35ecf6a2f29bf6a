import type { Paths } from '~/app/lib/paths';
import type { StartStep } from '~/server/domain/accounts/base/rules';

/** The page of a step. The wizard and the studio share the form for a show. */
export function stepPath(paths: Paths, step: StartStep): string {
  return step === 'product' ? paths.createProduct : paths.start(step);
}

/** The page after a step: the next open step, or the studio's home. */
export function nextPath(paths: Paths, { next, isOver }: { next: StartStep | null; isOver: boolean }): string {
  return next === null || isOver ? paths.dashboard : stepPath(paths, next);
}
