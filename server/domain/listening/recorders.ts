import type { Database } from '~/db/client';
import { retryOnDeadlock } from '~/db/driver/deadlocks';
import type { Sighting } from '~/db/values/contacts';
import type {
  FeedFetch,
  HeardReport,
  Listen,
  MachineRequest,
  ReceivedParts,
  RenditionParts,
} from '~/db/values/listening';
import { createRecorder } from '../../flow/group-commit';
import { RECORDER_LIMITS } from '../../limits/listening';
import type { Ctx, Recorders } from '../../runtime/ctx';
import { insertSightings } from '../audience/record-readers';
import { insertFetches } from '../feeds/fetches';
import { countImpressions } from '../insertions/count-impressions';
import { insertDownloads } from './downloads';
import { insertMinutes } from './heard-minutes';
import { insertListens } from './listens';
import { insertMachineRequests } from './machines';
import { addToPlainSums } from './plain-sums';
import { addToRollups } from './rollups';
import { openSalts } from './salts';

/** Where counted plays are summed up. @param isShipped a store of statistics beside Postgres gets the plays */
export const sumsFor = (isShipped: boolean) => (isShipped ? addToPlainSums : addToRollups);

type RecorderOptions = { isShipped?: boolean; reach?: Ctx['reach'] };

/**
 * The recorders of a process, which share its connection pool. `isShipped`: a store of statistics beside Postgres gets the
 * plays.
 */
export function openRecorders(db: Database, { isShipped = false, reach }: RecorderOptions = {}): Recorders {
  const { capacity, batch } = RECORDER_LIMITS;
  const addToSums = sumsFor(isShipped);
  const listens = createRecorder({
    capacity,
    batch,
    write: (items: Listen[]) => retryOnDeadlock(() => insertListens(db, items, addToSums)),
  });
  const downloads = createRecorder({
    capacity,
    batch,
    write: (items: ReceivedParts[]) => retryOnDeadlock(() => insertDownloads(db, items, addToSums)),
  });
  const renditions = createRecorder({
    capacity,
    batch,
    write: (items: RenditionParts[]) => retryOnDeadlock(() => countImpressions(db, items, reach)),
  });
  const fetches = createRecorder({
    capacity,
    batch,
    write: (items: FeedFetch[]) => retryOnDeadlock(() => insertFetches(db, items)),
  });
  const machines = createRecorder({
    capacity,
    batch,
    write: (items: MachineRequest[]) => retryOnDeadlock(() => insertMachineRequests(db, items)),
  });
  const minutes = createRecorder({
    capacity,
    batch,
    write: (items: HeardReport[]) => retryOnDeadlock(() => insertMinutes(db, items)),
  });
  const readers = createRecorder({ capacity, batch, write: (items: Sighting[]) => insertSightings(db, items) });
  const followed = new Set<Promise<unknown>>();
  return {
    listens,
    downloads,
    renditions,
    fetches,
    machines,
    minutes,
    readers,
    ...openSalts(db),
    follow(work) {
      const settled: Promise<unknown> = work.catch(() => {}).finally(() => followed.delete(settled));
      followed.add(settled);
    },
    async drained() {
      // what a delivery records is followed before the delivery ends
      while (followed.size > 0) await Promise.all(followed);
      await Promise.all(
        [listens, downloads, renditions, fetches, machines, minutes, readers].map((recorder) => recorder.drained()),
      );
    },
  };
}
