import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These wait for seconds, and at the end of a run nothing else would use the processor meanwhile. */
const SLOW = [
  'tests/attacks/login-guessing.deep.test.ts',
  'tests/attacks/account-abuse.test.ts',
  'tests/db/embedded.test.ts',
  'tests/http/database-away.deep.test.ts',
  'tests/jobs/process.deep.test.ts',
  'tests/db/watch.deep.test.ts',
  'tests/http/session-cache.deep.test.ts',
  'tests/db/migrate.test.ts',
  'tests/jobs/heartbeat.deep.test.ts',
  'tests/server/pooler.deep.test.ts',
  'tests/http/upload-locks.deep.test.ts',
  'tests/http/uploads.test.ts',
  'tests/db/overdue.deep.test.ts',
  'tests/domain/episodes/audio-check.test.ts',
  'tests/sandbox/stripe/due-work.test.ts',
].map((file) => path.resolve(file));

/** Vitest starts with the files that took longest, but on the first run in a checkout it does not know them. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.includes(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
