import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import type { contacts } from '~/db/schema/audience';
import { automationEmails } from '~/db/schema/automations';
import { subscriptions } from '~/db/schema/billing';
import { editionRecipients } from '~/db/schema/newsletter';
import type { AutomationTrigger } from '~/db/values/automations';
import { DAYS, HOURS, later, MINUTES } from '~/server/base/time';
import { leaveLink, leaveNewsletter } from '~/server/domain/audience/leave-newsletter';
import { deliverStep } from '~/server/domain/newsletter/deliver-step';
import { enrolContact } from '~/server/domain/newsletter/enrol-contact';
import { newsletterStage } from './sent-editions';

/** A stage with automations that are on, and what a test of them needs. */
export async function automationStage() {
  const stage = await newsletterStage();
  const { runtime, make, visitorCtx, clock, publisher, deliver, jobCtx, rowOf } = stage;
  const { db } = runtime;
  type Owner = Awaited<ReturnType<typeof publisher>>;

  /** Contacts whose state has not changed since the time of the test's clock. */
  const addContacts = (creatorId: number, count: number, over: Partial<typeof contacts.$inferInsert> = {}) =>
    stage.addContacts(creatorId, count, { statusAt: clock.now, ...over });

  /** An automation that is on, with an email for each delay in hours. */
  async function running({ api }: Owner, delays: number[], over: Record<string, unknown> = {}) {
    const { id } = await api.automations.create({ trigger: 'sign_up', ...over } as never);
    const steps: number[] = [];
    for (const hours of delays) {
      const step = await api.automations.addStep({ id });
      await write(api, step.id, { title: `Step ${hours}`, content: `<p>After ${hours}, {{name|friend}}.</p>` });
      await api.automations.delayStep({
        id,
        stepId: step.id,
        days: Math.floor(hours / 24),
        hours: hours % 24,
      } as never);
      steps.push(step.id);
    }
    await api.automations.switch({ id, isActive: true } as never);
    return { id, steps };
  }

  async function write(api: Owner['api'], id: number, texts: Record<string, string>) {
    const { revision } = await rowOf(id);
    await api.editions.update({ id, revision, ...texts } as never);
  }

  async function signUp(contactId: number, at = clock.now) {
    await enrolContact(jobCtx(at), { trigger: 'sign_up', contactId, at: at.toISOString() });
  }

  const send = (stepId: number, over: object = {}) => deliver(stepId, { run: deliverStep, ...over });
  const inHours = (hours: number) => later(clock.now, HOURS(hours) + MINUTES(1));
  const answersOf = async (stepId: number) =>
    (
      await db
        .select({ answer: editionRecipients.answer })
        .from(editionRecipients)
        .where(eq(editionRecipients.editionId, stepId))
        .orderBy(editionRecipients.contactId)
    ).map(({ answer }) => answer);

  async function leave(creatorId: number, email: string) {
    const { url } = leaveLink(visitorCtx(), { creatorId, email, id: null }, 'en');
    await leaveNewsletter(visitorCtx(), { token: new URL(url).searchParams.get('list')! });
  }

  /** A user who is a contact of a show's creator, with access from a subscription or a purchase. */
  async function subscriber(owner: Owner, over: Partial<typeof grants.$inferInsert> = {}) {
    const product = await make.product(owner, { priceMinor: 500 });
    const person = await make.person();
    const [contact] = await addContacts(owner.creatorId, 1, { userId: person.id, email: person.email });
    const times = { startsAt: clock.now, dripsFrom: clock.now, endsAt: later(clock.now, DAYS(30)), renews: true };
    await db
      .insert(grants)
      .values({ userId: person.id, productId: product.id, source: 'subscription', ...times, ...over });
    return { product, person, contact: contact! };
  }

  type Subscribed = { owner: Owner; product: { id: number }; person: { id: number } };
  /** The subscription of a user, and whether the grant renews, as the payment provider's events leave them. */
  async function subscribe(
    { owner, product, person }: Subscribed,
    over: Partial<typeof subscriptions.$inferInsert> = {},
  ) {
    await db.insert(subscriptions).values({
      ...{ providerId: randomUUID(), customerId: 'cus', purpose: 'show', userId: person.id, productId: product.id },
      ...{ creatorId: owner.creatorId, status: 'active', priceMinor: 500, currency: 'eur', every: 'month' },
      ...{ startedAt: clock.now, periodStart: clock.now, periodEnd: later(clock.now, DAYS(30)), syncedAt: clock.now },
      ...over,
    });
    await db.update(grants).set({ renews: false }).where(eq(grants.userId, person.id));
  }

  /** Something that a user does with a show. */
  async function happens(trigger: AutomationTrigger, who: { userId: number; productId: number }) {
    await enrolContact(jobCtx(), { trigger, ...who, at: clock.now.toISOString() });
  }

  /** The emails that count in the creator's plan. */
  async function emailsOf(creatorId: number): Promise<number | undefined> {
    const [row] = await db
      .select({ emails: automationEmails.emails })
      .from(automationEmails)
      .where(eq(automationEmails.creatorId, creatorId))
      .orderBy(automationEmails.month);
    return row?.emails;
  }

  return {
    ...stage,
    addContacts,
    running,
    write,
    signUp,
    send,
    inHours,
    answersOf,
    leave,
    subscriber,
    subscribe,
    happens,
    emailsOf,
  };
}
