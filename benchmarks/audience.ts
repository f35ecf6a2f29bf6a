import { sql } from 'drizzle-orm';
import { creatorPlans } from '~/db/schema/plans';
import type { ListContacts } from '~/server/domain/audience/schema';
import { makers } from '~/tests/support/make';
import { openTestRuntime } from '~/tests/support/open-test-runtime';
import { prepareBenchmark } from './prepare-benchmark';
import { type BenchmarkRow, judge, milliseconds, percentile } from './table';

const CONTACTS = Number(process.env.ROWS ?? 500_000);
const REQUESTS = 60;
const WARM_UP = 6;
const GOAL_MS = 50;

/** Each with the counts of its filter, as the page asks for them; a saved segment is such a filter. */
const LISTS: [string, Partial<ListContacts>[]][] = [
  ['the list', [{}, { sort: 'oldest' }]],
  ['by name and address', [{ sort: 'name' }, { sort: 'email' }]],
  ['search, one letter', [...'aelmz'].map((search) => ({ search }))],
  ['search, two letters', ['an', 'lu', 'zo', 'qx'].map((search) => ({ search }))],
  ['search, three letters', ['ana', 'cía', 'xyz'].map((search) => ({ search }))],
  ['search, a name and an address', [{ search: 'García 4711' }, { search: 'p471100@' }]],
  ['status', [{ status: 'active' }, { status: 'inactive' }, { status: 'bounced' }]],
  ['tag', [{ tag: 'VIP' }, { tag: 'Press' }]],
  ['source and since', [{ source: 'import' }, { source: 'form' }, { since: '2025-06-01' }]],
  ['not read for months', [{ unseen: 1 }, { unseen: 12 }]],
  ['segment of three filters', [{ tag: 'VIP', status: 'active', since: '2024-01-01' }]],
];

/** Pages of a list of 500,000 contacts, with their counts, tags and segments. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const { runtime, close } = await openTestRuntime(prepared.databaseUrl, prepared.dataDir);
  const creator = await makers(runtime, { passwordHash: '', cover: null }).creator();
  const { creatorId } = creator;
  await runtime.db.insert(creatorPlans).values({ creatorId, plan: 'ULTRA', since: runtime.now() });
  await fill(runtime.db, creatorId);
  const rows: BenchmarkRow[] = [];
  for (const [label, inputs] of LISTS) {
    const times: number[] = [];
    for (let i = 0; i < WARM_UP + REQUESTS; i += 1) {
      const began = performance.now();
      await creator.api.contacts.list({ ...inputs[i % inputs.length] });
      if (i >= WARM_UP) times.push(performance.now() - began);
    }
    const p95 = percentile(times, 0.95);
    rows.push({
      label: `${label}, ${CONTACTS.toLocaleString('en')} contacts`,
      figure: `p95 ${milliseconds(p95)}`,
      details: `median ${milliseconds(percentile(times, 0.5))}`,
      goal: `≤ ${GOAL_MS} ms`,
      ...judge(GOAL_MS / p95, { holds: false }),
    });
  }
  await close();
  await prepared.close();
  return rows;
}

/**
 * One of 10 contacts has left, one of 100 is tagged VIP, one of three Press, and one of five came by the form. Half agree to be
 * seen: one of 100 of them has not read for a year, the others have in the last two months.
 */
async function fill(db: Awaited<ReturnType<typeof openTestRuntime>>['runtime']['db'], creatorId: number) {
  await db.execute(sql`
    insert into contacts (creator_id, email, name, source, language, status, inactive_as, status_reason, since)
    select ${creatorId}, lower(translate(first, 'éíúÁ', 'eiuA')) || '.p' || n || '@mail' || n % 40 || '.example',
      case when n % 4 = 0 then '' else first || ' ' || last || ' ' || n end, 'import', 'en',
      case when n % 10 = 0 then 'inactive' else 'active' end,
      case when n % 50 = 0 then 'bounced' when n % 10 = 0 then 'unsubscribed' end, 'import',
      now() - n * interval '3 minutes'
    from generate_series(1, ${CONTACTS}) n, lateral (
      select ('{Ana,Beatriz,Carlos,Dolores,Emilio,Fernanda,Gabriel,Inés,Joaquín,Lucía,Marta,Nora,Zoe}'::text[])[1 + n % 13] as first,
        ('{Álvarez,Benítez,Castro,Ferrer,García,Herrero,Iglesias}'::text[])[1 + n / 13 % 7] as last) names`);
  await db.execute(
    sql`insert into contact_tags (creator_id, name) values (${creatorId}, 'VIP'), (${creatorId}, 'Press')`,
  );
  await db.execute(sql`insert into tagged_contacts (tag_id, contact_id)
    select t.id, c.id from contacts c join contact_tags t on t.creator_id = c.creator_id
    where c.creator_id = ${creatorId} and (c.id + 1) % (case t.name when 'VIP' then 100 else 3 end) = 0`);
  await db.execute(sql`insert into contact_sources (contact_id, creator_id, source)
    select c.id, c.creator_id, case when c.id % 5 = 0 then 'form' else 'import' end
    from contacts c where c.creator_id = ${creatorId}`);
  await db.execute(sql`update creators set tracks_readers_since = now() - interval '3 years' where id = ${creatorId}`);
  await db.execute(sql`insert into tracking_consents (contact_id, given_at, text, last_seen_on)
    select c.id, now() - interval '2 years', 'Yes',
      case when c.id % 200 = 0 then null else (now() - c.id % 60 * interval '1 day')::date end
    from contacts c where c.creator_id = ${creatorId} and c.id % 2 = 0`);
  await db.execute(sql`vacuum analyze tracking_consents, contacts, tagged_contacts, contact_sources, contact_tags`);
}
