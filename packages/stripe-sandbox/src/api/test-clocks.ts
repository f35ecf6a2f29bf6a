import type { TransactionSql } from 'postgres';
import type Stripe from 'stripe';
import type { Work } from '../engine/account-work';
import { type DueHandlers, processDue, type RunAtomically } from '../engine/due-work';
import { deleteClockObjects } from '../engine/store';
import { invalidRequest } from '../wire/faults';
import { newId } from '../wire/ids';
import { NULL_FIELDS } from '../wire/null-fields';
import { required, text, timestamp } from '../wire/shapes';
import { listRoute, type Route, retrieveRoute, route } from './route';

const KIND = 'test_helpers.test_clock' as const;
const PATH = '/v1/test_helpers/test_clocks';
const LIFETIME = 30 * 86_400;

type AdvanceInput = { id: string; to: number; handlers: DueHandlers };

async function advanceClock(work: Work, { id, to, handlers }: AdvanceInput): Promise<Stripe.TestHelpers.TestClock> {
  const clock = await work.find(KIND, id);
  if (to <= clock.frozen_time)
    throw invalidRequest('`frozen_time` must be later than the present time of the clock.', { param: 'frozen_time' });
  await work.flush();
  clock.status = 'advancing';
  clock.status_details = { advancing: { target_frozen_time: to } };
  work.emit('test_helpers.test_clock.advancing', clock);
  const sql = work.sql as TransactionSql;
  const atomically: RunAtomically = async (run) =>
    (await sql.savepoint(async (inner) => ({ result: await run(inner) }))).result;
  await processDue(atomically, { clock: id, until: to, context: work.context, handlers });
  clock.frozen_time = to;
  clock.status = 'ready';
  clock.status_details = {};
  work.setNow(to);
  work.emit('test_helpers.test_clock.ready', clock);
  return clock;
}

/** @param handlers process what falls due when a clock advances */
export const testClockRoutes = (handlers: DueHandlers): Route[] => [
  route('POST', PATH, { frozen_time: required(timestamp()), name: text(300) }, async (work, input) => {
    const clock: Stripe.TestHelpers.TestClock = {
      ...NULL_FIELDS.testClock,
      id: newId('clock'),
      object: KIND,
      created: work.now(),
      deletes_after: work.now() + LIFETIME,
      frozen_time: input.frozen_time,
      livemode: false,
      name: input.name ?? null,
      status: 'ready',
      status_details: {},
    };
    return work.add(clock, {}, 'test_helpers.test_clock.created');
  }),
  retrieveRoute(PATH, KIND),
  route('POST', `${PATH}/:id/advance`, { frozen_time: required(timestamp()) }, (work, input, { id = '' }) =>
    advanceClock(work, { id, to: input.frozen_time, handlers }),
  ),
  route('DELETE', `${PATH}/:id`, {}, async (work, _, { id = '' }) => {
    const clock = await work.find(KIND, id);
    work.emit('test_helpers.test_clock.deleted', clock);
    await work.remove(clock);
    await deleteClockObjects(work.sql, id);
    return { id, object: KIND, deleted: true };
  }),
  listRoute(PATH, KIND, { filters: {} }),
];
