import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files. If they started last, the other CPU would idle at the end of a run. */
const SLOW = [
  'tests/attacks/paid-year.test.ts',
  'tests/db/former-release.deep.test.ts',
  'tests/domain/creator-backup/killed-backup.deep.test.ts',
  'tests/attacks/account-abuse.deep.test.ts',
  'tests/attacks/hostile-input.test.ts',
  'tests/server/rolling-restart.deep.test.ts',
  'tests/server/backup.deep.test.ts',
  'tests/attacks/login-guessing.deep.test.ts',
  'tests/domain/billing/plan-billing/plans.test.ts',
  'tests/attacks/authorization-matrix.test.ts',
  'tests/domain/billing/subscriptions/refunded-endings.test.ts',
  'tests/domain/moving/account-moves/move.deep.test.ts',
  'tests/policy/visibility.test.ts',
  'tests/domain/billing/subscriptions/my-subscriptions.test.ts',
  'tests/db/embedded.test.ts',
  'tests/domain/episodes/announcing.test.ts',
  'tests/attacks/killed-sales.test.ts',
  'tests/audio/conforming.test.ts',
].map((file) => path.resolve(file));

/** Vitest starts with the slowest files, but on the first run in a checkout it does not know them. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.includes(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
