import fs from 'node:fs/promises';
import { openPool } from '~/db/driver/pool';
import { describeFault, inspectServer } from '~/db/inspect';
import { SECONDS } from '../base/time';
import { serverProblems } from '../runtime/check-start';
import { checkClock } from './doctor-outside';
import { type Finding, ok, problem, warning } from './finding';

const JOURNAL = 'db/migrations/meta/_journal.json';
const NEWEST_TESTED = 17;
/** Workers maintain the queue every twenty seconds. */
const WORKER_SILENCE = SECONDS(60);

/** Checks the server, the contents of the database, and the workers. */
export async function checkDatabase(address: string, now: () => Date): Promise<Finding[]> {
  const facts = await inspectServer(address).catch((error) => describeFault(error, address) ?? String(error));
  if (typeof facts === 'string') return [problem('database', facts)];
  const problems = serverProblems(facts).map((text) => problem('database', text));
  if (problems.length > 0) return problems;
  const how = `Postgres ${facts.version}, ${facts.isEncrypted ? 'encrypted' : 'not encrypted'}`;
  return [
    facts.major > NEWEST_TESTED ? warning('database', `${how}: not tested with this version`) : ok('database', how),
    checkClock('the database', facts.now, now()),
    ...(await checkContents(address)),
  ];
}

async function checkContents(address: string): Promise<Finding[]> {
  const { client, close } = openPool(address, { max: 1, prepare: false, patient: true });
  try {
    const [found] = await client<{ migrations: string | null; queue: string | null }[]>`
      select to_regclass('drizzle.__drizzle_migrations')::text as migrations, to_regclass('pgboss.version')::text as queue`;
    const applied = found?.migrations
      ? await client<{ last: string }[]>`select max(created_at) as last from drizzle.__drizzle_migrations`
      : [];
    const seen = found?.queue
      ? await client<{ ago: number | null }[]>`
          select extract(epoch from now() - max(maintained_on))::float8 * 1000 as ago from pgboss.version`
      : [];
    return [await checkMigrations(Number(applied[0]?.last ?? 0)), checkWorker(seen[0]?.ago ?? null)];
  } finally {
    await close();
  }
}

/** @param last the time in the name of the newest applied migration */
async function checkMigrations(last: number): Promise<Finding> {
  const { entries } = JSON.parse(await fs.readFile(JOURNAL, 'utf8')) as { entries: { when: number; tag: string }[] };
  const pending = entries.filter(({ when }) => when > last);
  if (entries.every(({ when }) => when < last))
    return warning('migrations', 'the database is newer than this release: fine while a release is rolled back');
  if (pending.length === 0) return ok('migrations', `all ${entries.length} are applied`);
  return warning('migrations', `${pending.length} are pending: the next start of a process applies them`);
}

/** @param ago milliseconds since a worker maintained the queue */
function checkWorker(ago: number | null): Finding {
  if (ago !== null && ago <= WORKER_SILENCE) return ok('worker', 'a worker runs');
  const since = ago === null ? 'has ever run' : `has run for ${Math.round(ago / 1000)} s`;
  return problem('worker', `no worker ${since}: start one, or emails and publications wait`);
}
