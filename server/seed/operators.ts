import { sql } from 'drizzle-orm';
import { outbox } from '~/db/schema/notifications';
import { DAYS, earlier, HOURS } from '../base/time';
import { publishAnnouncement } from '../domain/console/publish-announcement';
import { addOperator } from '../domain/operators/manage-operators';
import { listAnnouncements } from '../domain/reference/announcements';
import { goLive } from '../queue/jobs/episodes';
import { type Runtime, systemCtx } from '../runtime/runtime';
import type { DemoPerson } from './demo-types';

const FAILED_EMAIL = '0f0e5f5e-0000-4000-8000-000000000001';
const FAILED_JOB = '0f0e5f5e-0000-4000-8000-000000000002';

/** A person who may open the operators' pages, with tasks for her: a failed email and a failed job. */
export async function seedOperators(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const chosen = cast.filter(({ isOperator }) => isOperator);
  if (chosen.length === 0) return;
  const ctx = systemCtx(runtime, 'demo');
  for (const { email } of chosen) await addOperator(ctx, { operator: { name: 'demo' }, email });
  await failEmail(runtime);
  await failJob(runtime);
  await addAnnouncement(runtime);
}

async function failEmail({ db, now }: Runtime): Promise<void> {
  const text = { subject: 'New episode', html: '<p>New episode</p>', text: 'New episode' };
  const failure = { attempts: 31, failedAt: now(), failure: '550 5.1.1 The mailbox does not exist' };
  const email = { id: FAILED_EMAIL, to: 'old-address@mail.example', topic: 'new_episode', language: 'en' as const };
  const createdAt = earlier(now(), HOURS(25));
  await db
    .insert(outbox)
    .values({ ...email, ...text, ...failure, createdAt })
    .onConflictDoNothing();
}

/** An announcement in the past, so that no page of the demo has a banner. */
async function addAnnouncement(runtime: Runtime): Promise<void> {
  const daysAgo = (days: number) => earlier(runtime.now(), DAYS(days));
  const ctx = { ...systemCtx(runtime, 'demo'), now: () => daysAgo(3) };
  if ((await listAnnouncements(ctx)).length > 0) return;
  const textEn = 'Uploads pause on Saturday from 02:00 to 04:00 UTC.';
  const textEs = 'El sábado, de 02:00 a 04:00 UTC, no se podrán subir archivos.';
  const texts = { textEn, textEs, level: 'warning', link: null } as const;
  await publishAnnouncement(ctx, { operator: { name: 'demo' }, ...texts, until: daysAgo(1) });
}

/** The job of an episode that does not exist: a retry does nothing. */
async function failJob({ db }: Runtime): Promise<void> {
  await db.execute(sql`
    insert into pgboss.job (id, name, data, state, retry_limit, retry_count, output, completed_on)
    values (${FAILED_JOB}, ${goLive.name}, '{"episodeId": 999999}', 'failed', 5, 5,
      '{"message": "the database did not answer in time"}', now())
    on conflict do nothing`);
}
