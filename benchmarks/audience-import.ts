import { eq } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { creatorPlans } from '~/db/schema/plans';
import { columnName } from '~/server/base/csv';
import { runContactImport } from '~/server/domain/audience/run-contact-import';
import { systemCtx } from '~/server/runtime/runtime';
import { makers } from '~/tests/support/make';
import { openTestRuntime } from '~/tests/support/open-test-runtime';
import { cpuSecondsOfTree } from './machine';
import { postgresPid, prepareBenchmark } from './prepare-benchmark';
import { type BenchmarkRow, judge, megabytes } from './table';

/** `ROWS=1000000 npm run bench -- audience-import` for the longest file. */
const SIZES = process.env.ROWS ? [Number(process.env.ROWS)] : [10_000, 100_000];
const GOAL_SECONDS = 1.4;
const GOAL_ROWS = 100_000;
const FIRST_NAMES = [
  'Ana',
  'Beatriz',
  'Carlos',
  'Dolores',
  'Emilio',
  'Fernanda',
  'Gabriel',
  'Inés',
  'Joaquín',
  'Lucía',
];
const LAST_NAMES = ['Álvarez', 'Benítez', 'Castro', 'Domínguez', 'Ferrer', 'García', 'Herrero', 'Iglesias', 'Jiménez'];

/** Imports a file of contacts with names, dates, tags and states, and the same file again, which changes nothing. */
export async function run(): Promise<BenchmarkRow[]> {
  const prepared = await prepareBenchmark();
  const { runtime, close } = await openTestRuntime(prepared.databaseUrl, prepared.dataDir);
  const make = makers(runtime, { passwordHash: '', cover: null });
  const postgres = await postgresPid(prepared);
  const ctx = systemCtx(runtime, 'audience.import-contacts');
  const rows: BenchmarkRow[] = [];
  // the first import loads the code that all of them need
  for (const count of [10, ...SIZES]) {
    const creator = await make.creator();
    await runtime.db.insert(creatorPlans).values({ creatorId: creator.creatorId, plan: 'ULTRA', since: runtime.now() });
    const file = Buffer.from(fileOf(count));
    for (const label of ['new contacts', 'the same file again']) {
      const contactsKey = await make.upload(creator, 'contacts', file);
      const declared = { hasAgreed: true, consentSource: 'a former website', consentedOn: '2026-01-01' };
      const { id } = await creator.api.contactImports.request({ contactsKey, ...declared });
      const began = performance.now();
      const [ownCpu, postgresCpu] = [process.cpuUsage(), cpuSecondsOfTree(postgres)];
      await runContactImport(ctx, id);
      const seconds = (performance.now() - began) / 1000;
      const { user, system } = process.cpuUsage(ownCpu);
      const cpu = `CPU: ${((user + system) / 1e6).toFixed(2)} s of Node, ${(cpuSecondsOfTree(postgres) - postgresCpu).toFixed(2)} s of Postgres`;
      const kept = await runtime.db.$count(contacts, eq(contacts.creatorId, creator.creatorId));
      const isGoal = count === GOAL_ROWS && label === 'new contacts';
      rows.push({
        label: `${count.toLocaleString('en')} rows, ${label}`,
        figure: `${seconds.toFixed(2)} s`,
        details: `${cpu}; ${kept.toLocaleString('en')} contacts`,
        ...(isGoal && { goal: `≤ ${GOAL_SECONDS} s`, ...judge(GOAL_SECONDS / seconds, { holds: false }) }),
      });
    }
  }
  const peak = megabytes(process.resourceUsage().maxRSS * 1024);
  await close();
  await prepared.close();
  rows.at(-1)!.details += `; peak memory of all ${peak}`;
  return rows.slice(2);
}

/** One of 20 people has left, and one of three has tags. */
function fileOf(count: number): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const [first, last] = [FIRST_NAMES[i % FIRST_NAMES.length]!, LAST_NAMES[(i * 7) % LAST_NAMES.length]!];
    const day = new Date(Date.UTC(2020, 0, 1 + (i % 2000))).toISOString();
    const tags = i % 3 === 0 ? '"VIP, Press"' : '';
    const email = `${columnName(first)}.${columnName(last)}.${(i * 7919) % 1_000_003}@example.com`;
    return `${email},${first} ${last},${day},${tags},${i % 20 === 19 ? 'unsubscribed' : 'active'}`;
  });
  return `email,name,created_at,tags,status\n${lines.join('\n')}\n`;
}
