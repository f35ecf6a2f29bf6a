import { sql } from 'drizzle-orm';
import type { Component } from '~/db/values/status';
import { earlier } from '../../base/time';
import { type TimedAnswer, timedAnswer } from '../../flow/timed-answer';
import { STATUS_LIMITS as LIMITS } from '../../limits/status';
import { ALL_JOBS } from '../../queue/all-jobs';
import { countJobs } from '../../queue/count-jobs';
import type { Ctx } from '../../runtime/ctx';
import { lastAnswer } from '../billing/provider-sync/catch-up';
import { countWaitingEvents } from '../billing/provider-sync/events';
import { areEmailsStuck } from '../notifications/deliver-email';

/** `ms`: how long the answer took, or how late the oldest job is; null if nothing is measured. */
export type Finding = { isOk: boolean; ms: number | null };

/** Also for `/readyz`. @throws if it does not answer */
export const askDatabase = ({ db }: Pick<Ctx, 'db'>): Promise<unknown> => db.execute(sql`select 1`);
export const askStorage = ({ ports }: { ports: Pick<Ctx['ports'], 'storage'> }): Promise<unknown> =>
  ports.storage.head('images/probe');

/** How to find out how each component is. Null: this installation does not have it, or nothing is known yet. */
export const PROBES: Record<Component, (ctx: Ctx) => Promise<Finding | null>> = {
  database: (ctx) => timedAnswer(() => askDatabase(ctx), LIMITS.answer),
  storage: (ctx) => timedAnswer(() => askStorage(ctx), LIMITS.answer),
  jobs: probeJobs,
  emails: probeEmails,
  payments: probePayments,
};

/** Jobs of names that no worker of this version runs would wait for ever. */
const QUICK = new Set(
  ALL_JOBS.filter(({ policy }) => policy.expires * 1000 <= LIMITS.quickJob).map(({ name }) => name),
);

/** Works if no quick job has waited for long. */
async function probeJobs({ db }: Ctx): Promise<Finding> {
  const waits = (await countJobs(db)).filter(({ name }) => QUICK.has(name)).map(({ waitingUrgent: s }) => s * 1000);
  const ms = Math.round(Math.max(0, ...waits));
  return { isOk: ms < LIMITS.lateJob, ms: Math.min(ms, LONGEST) };
}
/** The largest number of the column. */
const LONGEST = 2 ** 31 - 1;

/** Works if the mail server accepts our login, and emails leave. */
async function probeEmails(ctx: Ctx): Promise<Finding> {
  const login: TimedAnswer = await timedAnswer(() => ctx.ports.mail.check(), LIMITS.mailAnswer);
  const since = earlier(ctx.now(), LIMITS.emailWindow);
  return { ...login, isOk: login.isOk && !(await areEmailsStuck(ctx, since, LIMITS.stuckEmails)) };
}

/** Works if the provider has answered the last look for its events, and events are handled. */
async function probePayments(ctx: Ctx): Promise<Finding | null> {
  const last = ctx.settings.takesPayments ? await lastAnswer(ctx) : null;
  if (!last) return null;
  const now = ctx.now();
  const period = { from: earlier(now, LIMITS.eventWindow), until: earlier(now, LIMITS.lateEvent) };
  const isLate = last < earlier(now, LIMITS.lateLook) || (await countWaitingEvents(ctx, period)) > 0;
  return { isOk: !isLate, ms: null };
}
