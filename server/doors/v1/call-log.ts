import { type ApiCall, insertCalls } from '../../domain/developers/record-calls';
import { createDelayedBatch } from '../../flow/delayed-batch';
import { DEVELOPER_LIMITS } from '../../limits/developers';
import type { Runtime } from '../../runtime/runtime';
import { type ApiAccess, callerOf } from './api-access';

/** What was called: the template of its path, its status, and the id of the request. `startedAt`: of the performance clock. */
type Answered = Pick<ApiCall, 'method' | 'path' | 'status' | 'requestId'> & { startedAt: number };

/** The log of requests that creators see. Calls are written in batches, after their answers. */
export function openCallLog(runtime: Runtime) {
  const log = createDelayedBatch({
    pause: DEVELOPER_LIMITS.callsPause,
    capacity: DEVELOPER_LIMITS.callsWaiting,
    write: (calls: ApiCall[]) => insertCalls(runtime.db, calls),
    follow: (written) =>
      runtime.recorders.follow(written.catch((err) => runtime.log.warn({ err }, 'API calls not logged'))),
  });
  return (access: ApiAccess, { startedAt, ...answered }: Answered): void => {
    const ms = Math.round(performance.now() - startedAt);
    log.add({ creatorId: access.creatorId, caller: callerOf(access), ...answered, ms, at: runtime.now() });
  };
}
