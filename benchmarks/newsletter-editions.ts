import { sql } from 'drizzle-orm';
import { creatorPlans } from '~/db/schema/plans';
import type { DkimKey } from '~/server/adapters/mail/bulk/dkim-signature';
import { deliverEdition } from '~/server/domain/newsletter/deliver-edition';
import { systemCtx } from '~/server/runtime/runtime';
import { makers } from '~/tests/support/make';
import { openTestRuntime } from '~/tests/support/open-test-runtime';
import { cpuSeconds, cpuSecondsOfTree } from './machine';
import { postgresPid, prepareBenchmark } from './prepare-benchmark';
import { prose } from './prose';
import { countsOf, startSink } from './start-newsletter-sink';
import { type BenchmarkRow, judge, kilobytes, megabytes, perSecond } from './table';

type Kind = { emails: number; dkim: DkimKey | null; goal: number };

const SETTINGS = {
  ...{ name: 'Él y ella', description: '', category: 101, language: 'es', senderName: 'Lucía Pérez' },
  ...{ senderEmail: 'lucia@her.example', header: 'Cartas de la sal', footer: 'Calle Mayor 1, 28013 Madrid' },
  ...{ sendsWelcome: false, welcomeSubject: '', welcomeContent: '' },
};
const GOAL_FIRST_SECONDS = 2;
const PARAGRAPHS = 16;
const WARM_UP = 1000;

/** Sends an edition as the product does: freezes, leases and records a row for each recipient. */
export async function measureEditions(label: string, { emails, dkim, goal }: Kind): Promise<BenchmarkRow> {
  const prepared = await prepareBenchmark();
  const { sink, port } = await startSink(['CHUNKING']);
  const settings = {
    ...{ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Altavoz <no-reply@altavoz.example>' },
    ...(dkim && dkimSettings(dkim)),
  };
  const { runtime, close } = await openTestRuntime(prepared.databaseUrl, prepared.dataDir, settings);
  const creator = await makers(runtime, { passwordHash: '', cover: null }).creator();
  const { creatorId, api } = creator;
  await runtime.db.insert(creatorPlans).values({ creatorId, plan: 'ULTRA', since: runtime.now() });
  await api.newsletter.saveSettings(SETTINGS);
  const ctx = systemCtx(runtime, 'newsletter.deliver-edition');
  const content = Array.from({ length: PARAGRAPHS }, (_, i) => `<p>${prose(30, i)}</p>`).join('');
  async function addContacts(from: number, to: number): Promise<void> {
    await runtime.db.execute(sql`
      insert into contacts (creator_id, email, name, source, language, status)
      select ${creatorId}, 'reader.' || n || '@d' || n % 500 || '.example', 'Persona ' || n, 'import', 'es', 'active'
      from generate_series(${from}::int, ${to}::int) n`);
    await runtime.db.execute(sql`vacuum analyze contacts`);
  }
  async function draft(): Promise<{ id: number; revision: number }> {
    const { id } = await api.editions.create({});
    const { revision } = await api.editions.update({ id, revision: 1, title: '{{name|Hola}}: la sal', content });
    return { id, revision };
  }
  // the first edition loads the code and opens the connections
  await addContacts(1, WARM_UP);
  const first = await draft();
  await api.editions.send(first);
  await deliverEdition(ctx, { editionId: first.id });
  await addContacts(WARM_UP + 1, emails);
  const edition = await draft();
  const warm = await countsOf(sink);
  const postgres = await postgresPid(prepared);
  const before = { own: process.cpuUsage(), postgres: cpuSecondsOfTree(postgres), sink: cpuSeconds(sink.pid!) };
  const began = Date.now();
  await api.editions.send(edition);
  const frozen = Date.now();
  await deliverEdition(ctx, { editionId: edition.id });
  const { user, system } = process.cpuUsage(before.own);
  const counts = await countsOf(sink);
  if (counts.emails - warm.emails !== emails) throw new Error(`the server has ${counts.emails} emails of ${emails}`);
  const micros = (seconds: number) => `${Math.round((seconds / emails) * 1e6)} µs`;
  const seconds = (to: number) => ((to - began) / 1000).toFixed(1);
  const rate = emails / ((counts.lastAt - frozen) / 1000);
  const details = [
    `frozen after ${seconds(frozen)} s, first email ${seconds(counts.firstAt)} s (goal ≤ ${GOAL_FIRST_SECONDS} s), last ${seconds(counts.lastAt)} s`,
    `CPU each: ${micros((user + system) / 1e6)} of Node, ${micros(cpuSecondsOfTree(postgres) - before.postgres)} of Postgres, ${micros(cpuSeconds(sink.pid!) - before.sink)} of the server`,
    `${kilobytes((counts.bytes - warm.bytes) / emails)} each; peak memory ${megabytes(process.resourceUsage().maxRSS * 1024)}`,
  ].join('; ');
  await close();
  sink.disconnect();
  await prepared.close();
  return {
    label: `${emails.toLocaleString('en')} emails, ${label}`,
    figure: perSecond(rate),
    details,
    goal: `≥ ${perSecond(goal)}`,
    ...judge(rate / goal, { holds: false }),
  };
}

const dkimSettings = ({ domain, selector, privateKey }: DkimKey) => ({
  DKIM_DOMAIN: domain,
  DKIM_SELECTOR: selector,
  DKIM_KEY: privateKey,
});
