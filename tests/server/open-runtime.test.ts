import { eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { runAdmin } from '~/server/admin/run-admin';
import { describeProblem } from '~/server/base/problems';
import { parseEnv } from '~/server/env/read';
import { ALL_JOBS } from '~/server/queue/all-jobs';
import { openRuntime } from '~/server/runtime/open-runtime';
import { createLog } from '~/server/watching/log';
import { cast } from '../support/cast';
import { emptyDatabase } from '../support/db';
import { transactionPooler } from '../support/transaction-pooler';

const { runtime, env, url } = await cast();

test('the command queues failed emails once, and leaves the sending to the processes that run jobs', async () => {
  const settings = parseEnv({ DATABASE_URL: url, DATA_DIR: env.dataDir, SMTP_URL: 'smtp://127.0.0.1:9' });
  const content = { topic: 'test', language: DEFAULT_LANGUAGE, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
  const failure = { attempts: 30, failedAt: new Date(), failure: 'connection refused' };
  const [failed] = await runtime.db
    .insert(outbox)
    .values({ to: 'ana@mail.example', ...content, ...failure })
    .returning();

  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const resend = () => runAdmin(settings, createLog('silent'), ['mail', 'resend', '--json']);
  expect([await resend(), await resend()]).toEqual([0, 0]);
  expect(written.mock.calls.map(([text]) => JSON.parse(String(text)))).toEqual([[{ resent: 1 }], [{ resent: 0 }]]);
  written.mockRestore();

  const [email] = await runtime.db.select().from(outbox).where(eq(outbox.id, failed!.id));
  expect(email).toMatchObject({ attempts: 0, failedAt: null, sentAt: null });
  const jobs = await runtime.db.execute(sql`
    select state from pgboss.job where name = 'notifications.deliver' and data->>'emailId' = ${failed!.id} order by created_on, id`);
  expect([...jobs]).toEqual([{ state: 'created' }]);
});

test('four runtimes that open together on an empty database take turns, and all of them work', async () => {
  const { url: emptyUrl, client } = await emptyDatabase();
  const settings = parseEnv({ DATABASE_URL: emptyUrl, DATA_DIR: env.dataDir, SMTP_URL: 'smtp://127.0.0.1:9' });

  const opened = await Promise.all(
    Array.from({ length: 4 }, () => openRuntime(settings, createLog('silent'), { runsJobs: true })),
  );
  onTestFinished(async () => void (await Promise.all(opened.map(({ close }) => close()))));

  const answers = await Promise.all(
    opened.map(({ runtime }) => runtime.db.select().from(outbox).orderBy(outbox.createdAt)),
  );
  expect(answers).toEqual([[], [], [], []]);
  const queues = await client<
    { name: string }[]
  >`select name from pgboss.queue where name not like '\\_\\_%' order by 1`;
  expect(queues.map(({ name }) => name).sort()).toEqual(ALL_JOBS.map(({ name }) => name).sort());
});

test('a statement that waits too long for a connection is warned of, with its pool', async () => {
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(line) });
  const settings = parseEnv({ DATABASE_URL: url, DATA_DIR: env.dataDir, SMTP_URL: 'smtp://127.0.0.1:9' });
  const opened = await openRuntime(settings, log, { runsJobs: false });
  onTestFinished(() => opened.close());
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { db } = opened.runtime;
  const holders = Array.from({ length: 10 }, () => db.transaction(() => released));

  const refused = await db.execute(sql`select 1`).catch((error) => describeProblem(error).kind);
  release();
  await Promise.all(holders);

  expect(refused).toBe('unavailable');
  const warning = expect.objectContaining({ level: 'warn', pool: 'web', statements: 1 });
  expect(lines.map((line) => JSON.parse(line))).toEqual([warning]);
});

/** The reason why a process with these settings does not start. */
async function refusal(settings: Record<string, string>): Promise<unknown> {
  const whole = parseEnv({ DATA_DIR: env.dataDir, SMTP_URL: 'smtp://127.0.0.1:9', ...settings });
  return openRuntime(whole, createLog('silent'), { runsJobs: false }).then(({ close }) => close(), String);
}

test('a read-only database, and a direct address of another database, stop the start with the reason', async () => {
  const { url: otherUrl, client } = await emptyDatabase();
  const pooler = await transactionPooler(url);
  onTestFinished(() => pooler.close());

  expect(await refusal({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: url, DATABASE_PREPARE: '0' })).toBeUndefined();
  expect(await refusal({ DATABASE_URL: `${url}?TimeZone=Asia/Kolkata`, DATABASE_DIRECT_URL: url })).toBeUndefined();
  expect(await refusal({ DATABASE_URL: url, DATABASE_DIRECT_URL: otherUrl })).toBe(
    'Error: DATABASE_DIRECT_URL is another database than DATABASE_URL: both must name the same one',
  );
  await client.unsafe(`alter database "${new URL(otherUrl).pathname.slice(1)}" set default_transaction_read_only = on`);
  expect(await refusal({ DATABASE_URL: otherUrl })).toContain('DATABASE_URL: the database is read-only');
});
