import type { Paths } from '~/app/lib/paths';
import type { StartStep } from '~/server/domain/accounts/base/rules';

/** Where a step is done. A show has its own form, which the wizard shares with the studio. */
export function stepPath(paths: Paths, step: StartStep): string {
  return step === 'product' ? paths.createProduct : paths.start(step);
}

/** Where to go on after a step: the next open one, or the studio's home. */
export function nextPath(paths: Paths, { next, isOver }: { next: StartStep | null; isOver: boolean }): string {
  return next === null || isOver ? paths.dashboard : stepPath(paths, next);
}
