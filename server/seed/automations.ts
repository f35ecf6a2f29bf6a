import { and, asc, eq, gte } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { automations } from '~/db/schema/automations';
import { DAYS, earlier, HOURS, later } from '../base/time';
import { delayStep } from '../domain/newsletter/change-steps';
import { countOpen } from '../domain/newsletter/count-readers';
import { createAutomation } from '../domain/newsletter/create-automation';
import { deliverStep } from '../domain/newsletter/deliver-step';
import { enrolContact } from '../domain/newsletter/enrol-contact';
import { findAutomation } from '../domain/newsletter/list-automations';
import { switchAutomation } from '../domain/newsletter/switch-automation';
import { requireCreator } from '../policy/actor';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';

const OWNER = 'lucia@altavoz.example';
const RUNNING_SINCE = DAYS(60);

/** An automation that has welcomed new readers for two months, and one that waits to be switched on. */
export async function seedAutomations(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const person = cast.find(({ email }) => email === OWNER);
  if (!person) return;
  const now = runtime.now();
  const ctx = await actAs(runtime, person, earlier(now, RUNNING_SINCE));
  const { creatorId } = requireCreator(ctx);
  if ((await ctx.db.$count(automations, eq(automations.creatorId, creatorId))) > 0) return;
  const { id } = await createAutomation(ctx, { trigger: 'sign_up', start: 'welcome' });
  const { emails } = await findAutomation(ctx, { id });
  // the welcome email of the settings is sent at once
  await delayStep(ctx, { id, stepId: emails[0]!.id, days: 1, hours: 0 });
  await switchAutomation(ctx, { id, isActive: true });
  await welcomeReaders(ctx, { creatorId, id, now });
  await createAutomation(ctx, { trigger: 'cancellation', start: 'farewell' });
}

type Past = { creatorId: number; id: number; now: Date };

async function welcomeReaders(ctx: Ctx, { creatorId, id, now }: Past): Promise<void> {
  const { emails } = await findAutomation(ctx, { id });
  const isNew = and(
    eq(contacts.creatorId, creatorId),
    eq(contacts.status, 'active'),
    gte(contacts.since, earlier(now, RUNNING_SINCE)),
  );
  const readers = await ctx.db
    .select({ id: contacts.id, since: contacts.since })
    .from(contacts)
    .where(isNew)
    .orderBy(asc(contacts.since))
    .limit(MOST);
  for (const reader of readers) {
    const at = (time: Date) => ({ ...withoutMailServer(ctx), now: () => time });
    const enrolled = later(reader.since, HOURS(1));
    await enrolContact(at(enrolled), { trigger: 'sign_up', contactId: reader.id, at: reader.since.toISOString() });
    for (const step of emails) {
      const due = later(enrolled, HOURS(step.delayHours));
      if (due <= now) await deliverStep(at(due), { editionId: step.id });
    }
  }
  for (const { id: stepId, sent } of await sentOf(ctx, id))
    for (let opened = 0; opened < Math.round(sent * OPENED); opened += 1) await countOpen(ctx, { id: stepId });
}

const MOST = 20;
const OPENED = 0.6;

async function sentOf(ctx: Ctx, id: number): Promise<{ id: number; sent: number }[]> {
  const { emails } = await findAutomation(ctx, { id });
  return emails.map((step) => ({ id: step.id, sent: step.counts?.sent ?? 0 }));
}

/** Emails of the past are in nobody's inbox. */
function withoutMailServer(ctx: Ctx): Ctx {
  const send: Ctx['ports']['bulkMail']['send'] = (messages, onResults) =>
    Promise.resolve(onResults(messages.map(({ id }) => ({ id, state: 'sent' as const }))));
  return { ...ctx, ports: { ...ctx.ports, bulkMail: { ...ctx.ports.bulkMail, send } } };
}
