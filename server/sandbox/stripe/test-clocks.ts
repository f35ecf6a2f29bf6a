import type { TransactionSql } from 'postgres';
import type Stripe from 'stripe';
import { advance, type Whole } from './advancing';
import { BLANK } from './blanks';
import { listRoute, type Route, retrieveRoute, route } from './routes';
import { dropClock } from './store';
import { refused } from './wire/faults';
import { newId } from './wire/ids';
import { needed, text, time } from './wire/shape';
import type { Work } from './work';

const KIND = 'test_helpers.test_clock' as const;
const PATH = '/v1/test_helpers/test_clocks';
const KEPT = 30 * 86_400;

async function advanceClock(work: Work, id: string, to: number): Promise<Stripe.TestHelpers.TestClock> {
  const clock = await work.find(KIND, id);
  if (to <= clock.frozen_time)
    throw refused('`frozen_time` must be later than the present time of the clock.', { param: 'frozen_time' });
  await work.flush();
  clock.status = 'advancing';
  clock.status_details = { advancing: { target_frozen_time: to } };
  work.emit('test_helpers.test_clock.advancing', clock);
  const sql = work.sql as TransactionSql;
  const whole: Whole = async (run) => (await sql.savepoint(async (inner) => ({ result: await run(inner) }))).result;
  await advance(whole, { clock: id, until: to, setting: work.setting });
  clock.frozen_time = to;
  clock.status = 'ready';
  clock.status_details = {};
  work.at(to);
  work.emit('test_helpers.test_clock.ready', clock);
  return clock;
}

export const testClockRoutes: Route[] = [
  route('POST', PATH, { frozen_time: needed(time()), name: text(300) }, async (work, input) => {
    const clock: Stripe.TestHelpers.TestClock = {
      ...BLANK.testClock,
      id: newId('clock'),
      object: KIND,
      created: work.now(),
      deletes_after: work.now() + KEPT,
      frozen_time: input.frozen_time,
      livemode: false,
      name: input.name ?? null,
      status: 'ready',
      status_details: {},
    };
    return work.add(clock, {}, 'test_helpers.test_clock.created');
  }),
  retrieveRoute(PATH, KIND),
  route('POST', `${PATH}/:id/advance`, { frozen_time: needed(time()) }, (work, input, { id = '' }) =>
    advanceClock(work, id, input.frozen_time),
  ),
  route('DELETE', `${PATH}/:id`, {}, async (work, _, { id = '' }) => {
    const clock = await work.find(KIND, id);
    work.emit('test_helpers.test_clock.deleted', clock);
    await work.remove(clock);
    await dropClock(work.sql, id);
    return { id, object: KIND, deleted: true };
  }),
  listRoute(PATH, KIND, { filters: {} }),
];
