import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { automationEmails, automationEnrolments } from '~/db/schema/automations';
import { creators } from '~/db/schema/creators';
import { editions } from '~/db/schema/newsletter';
import { creatorPlans } from '~/db/schema/plans';
import { members } from '~/db/schema/team';
import { DAYS, later } from '~/server/base/time';
import { AUTOMATION_LIMITS } from '~/server/limits/newsletter';
import { PLANS } from '~/server/limits/plans';
import '../../support/matchers';
import { automationStage } from './running-automations';

const stage = await automationStage();
const {
  runtime,
  make,
  as,
  clock,
  publisher,
  rowOf,
  addContacts,
  running,
  signUp,
  send,
  inHours,
  leave,
  subscriber,
  happens,
  emailsOf,
} = stage;
const { db } = runtime;

test('an automation about one show leaves out the buyers of another', async () => {
  const owner = await publisher();
  const { product, person } = await subscriber(owner);
  const other = await make.product(owner, { priceMinor: 500 });
  const { id } = await running(owner, [0], { trigger: 'purchase', product: other.slug });

  await happens('purchase', { userId: person.id, productId: product.id });

  expect(await db.$count(automationEnrolments, eq(automationEnrolments.automationId, id))).toBe(0);
});

test('what the plan does not allow is skipped and counted', async () => {
  const owner = await publisher();
  const limit = PLANS.FREE.limits.emails!;
  await db
    .update(creators)
    .set({ claimedAt: later(clock.now, -DAYS(400)) })
    .where(eq(creators.id, owner.creatorId));
  await db.delete(creatorPlans).where(eq(creatorPlans.creatorId, owner.creatorId));
  const { id, steps } = await running(owner, [0]);
  const month = `${clock.now.toISOString().slice(0, 7)}-01`;
  await db.insert(automationEmails).values({ creatorId: owner.creatorId, month, emails: limit - 1 });
  const readers = await addContacts(owner.creatorId, 3);
  for (const reader of readers) await signUp(reader.id);

  expect(await send(steps[0]!)).toHaveLength(1);

  const { emails } = await owner.api.automations.get({ id });
  expect(emails[0]!.counts).toMatchObject({ sent: 1, waiting: 0, skipped: { limit: 2 } });
  expect(await emailsOf(owner.creatorId)).toBe(limit);
});

test('a step is no edition: it is in no list, and cannot be sent, cancelled or deleted as one', async () => {
  const owner = await publisher();
  const { steps } = await running(owner, [0]);
  const id = steps[0]!;
  const { revision } = await rowOf(id);

  expect((await owner.api.editions.list({})).items).toEqual([]);
  expect(await owner.api.editions.get({ id })).toMatchObject({ counts: null, reach: null, recipients: null });
  await expect(owner.api.editions.send({ id, revision } as never)).toFailWith('newsletter.edition_not_found');
  await expect(owner.api.editions.cancel({ id })).toFailWith('newsletter.edition_not_found');
  await expect(owner.api.editions.delete({ id })).toFailWith('newsletter.edition_not_found');
  for (const change of [{ slug: 'a-step' }, { isInArchive: true }, { audience: { group: 'everyone' } }])
    await expect(owner.api.editions.update({ id, revision, ...change } as never)).toFailWith(
      'newsletter.edition_not_found',
    );
});

test('an automation about sign-ups has no show, also if it begins with drafts', async () => {
  const owner = await publisher();
  const { slug } = await make.product(owner);

  const created = owner.api.automations.create({ trigger: 'purchase', product: slug, start: 'welcome' } as never);
  await expect(created).rejects.toThrow();
});

test('an automation needs settings, an email and texts, and has at most five emails', async () => {
  const bare = await make.creator();
  const first = await bare.api.automations.create({ trigger: 'sign_up' });
  await expect(bare.api.automations.switch({ ...first, isActive: true } as never)).toFailWith(
    'newsletter.settings_not_defined',
  );

  const { api } = await publisher();
  const { id } = await api.automations.create({ trigger: 'sign_up' });
  const on = () => api.automations.switch({ id, isActive: true } as never);
  await expect(on()).toFailWith('newsletter.no_steps');
  for (let step = 0; step < AUTOMATION_LIMITS.steps; step += 1) await api.automations.addStep({ id });
  await expect(on()).toFailWith('newsletter.step_not_ready');
  await expect(api.automations.addStep({ id })).toFailWith('newsletter.too_many_steps');
});

test('a creator has at most twenty automations', async () => {
  const { api } = await publisher();
  for (let number = 0; number < AUTOMATION_LIMITS.automations; number += 1)
    await api.automations.create({ trigger: 'sign_up' });

  await expect(api.automations.create({ trigger: 'sign_up' })).toFailWith('newsletter.too_many_automations');
});

test('starting points have finished texts in the language of the newsletter', async () => {
  const { api } = await publisher();
  for (const start of ['welcome', 'thanks', 'farewell'] as const) {
    const { id } = await api.automations.create({ trigger: 'sign_up', start } as never);
    await api.automations.switch({ id, isActive: true } as never);
    const { emails, trigger, isActive } = await api.automations.get({ id });

    expect(isActive).toBe(true);
    expect(trigger).toBe({ welcome: 'sign_up', thanks: 'purchase', farewell: 'cancellation' }[start]);
    expect(emails.map(({ status }) => status)).not.toContain('draft');
  }
});

test('editors neither see nor change automations about payments, which tell who pays', async () => {
  const owner = await publisher();
  const person = await make.person();
  await db.insert(members).values({ creatorId: owner.creatorId, userId: person.id, role: 'editor' });
  const { id, steps } = await running(owner, [0], { trigger: 'purchase' });
  const step = { id: steps[0]!, revision: (await rowOf(steps[0]!)).revision };
  await (await as(person, 'web')).team.switch({ creatorId: owner.creatorId });
  const api = await as(person, 'web');

  const { items } = await api.automations.list();
  expect(items).toMatchObject([{ id, enrolled: null }]);
  expect((await api.automations.get({ id })).emails).toMatchObject([{ counts: null }]);
  for (const change of [
    () => api.automations.create({ trigger: 'purchase' }),
    () => api.automations.switch({ id, isActive: false } as never),
    () => api.automations.delete({ id }),
    () => api.editions.update({ ...step, title: 'To all who pay' } as never),
  ])
    await expect(change()).toFailWith('common.role_not_allowed');
});

test('another creator reaches neither an automation nor its emails', async () => {
  const owner = await publisher();
  const { id, steps } = await running(owner, [0]);
  const stepId = steps[0]!;
  const { api } = await publisher();
  const own = await api.automations.create({ trigger: 'sign_up' });

  for (const attempt of [
    () => api.automations.get({ id }),
    () => api.automations.rename({ id, name: 'Mine' }),
    () => api.automations.switch({ id, isActive: false } as never),
    () => api.automations.delete({ id }),
    () => api.automations.addStep({ id }),
    () => api.automations.removeStep({ id, stepId }),
  ])
    await expect(attempt()).toFailWith('newsletter.automation_not_found');
  for (const attempt of [
    () => api.automations.removeStep({ id: own.id, stepId }),
    () => api.automations.delayStep({ id: own.id, stepId, days: 1 } as never),
    () => api.editions.sendTest({ id: stepId, to: 'nora@mail.example' } as never),
    () => api.editions.preview({ id: stepId }),
  ])
    await expect(attempt()).toFailWith('newsletter.edition_not_found');
  expect(await db.$count(editions, and(eq(editions.id, stepId), eq(editions.delayHours, 0)))).toBe(1);
});

test('counts tell what became of the emails of a step', async () => {
  const owner = await publisher();
  const { id, steps } = await running(owner, [0, 24]);
  const [ok, bad, gone] = await addContacts(owner.creatorId, 3);
  for (const reader of [ok!, bad!, gone!]) await signUp(reader.id);
  await leave(owner.creatorId, gone!.email);
  await send(steps[0]!, {
    answer: ({ to }: { to: string }) => (to === bad!.email ? { state: 'bounced', isHard: true } : {}),
  });
  await leave(owner.creatorId, ok!.email);

  const found = await owner.api.automations.get({ id });
  expect(found.enrolled).toBe(3);
  expect(found.emails[0]!.counts).toMatchObject({
    sent: 1,
    bounced: 1,
    waiting: 0,
    unsubscribed: 1,
    skipped: { left: 1 },
  });
  expect(found.emails[1]!.counts).toMatchObject({ waiting: 3, sent: 0 });
});

test('deleting removes the emails, but not from the plan’s month', async () => {
  const owner = await publisher();
  const { id, steps } = await running(owner, [0, 24]);
  const [reader] = await addContacts(owner.creatorId, 1);
  await signUp(reader!.id);
  await send(steps[0]!);

  await owner.api.automations.delete({ id });

  expect(await send(steps[1]!, { now: inHours(24) })).toEqual([]);
  expect(await db.$count(editions, eq(editions.id, steps[1]!))).toBe(0);
  expect(await db.$count(automationEnrolments, eq(automationEnrolments.automationId, id))).toBe(0);
  expect(await emailsOf(owner.creatorId)).toBe(1);
});

test('a welcome that would double is named, and can be switched off', async () => {
  const owner = await publisher();
  const { id } = await running(owner, [0]);
  const settings = await owner.api.newsletter.settings();
  const { logo: _, isDefined: __, from: ___, lostDomain: ____, replyTo: _____, ...values } = settings;
  const welcome = { sendsWelcome: true, welcomeSubject: 'Hi', welcomeContent: 'Hello' };
  await owner.api.newsletter.saveSettings({ ...values, ...welcome } as never);
  expect((await owner.api.automations.get({ id })).doublesWelcome).toBe(true);

  await owner.api.automations.stopWelcome();

  expect((await owner.api.automations.get({ id })).doublesWelcome).toBe(false);
  expect((await owner.api.newsletter.settings()).welcomeSubject).toBe('Hi');
});

test('an automation names the others that the same event starts', async () => {
  const owner = await publisher();
  const first = await running(owner, [0]);
  const second = await running(owner, [24]);
  const { name } = await owner.api.automations.get({ id: first.id });
  expect((await owner.api.automations.get({ id: second.id })).alike).toEqual([name]);

  await owner.api.automations.switch({ id: first.id, isActive: false } as never);

  expect((await owner.api.automations.get({ id: second.id })).alike).toEqual([]);
});

test('an email of an automation has no link to a page of its own', async () => {
  const owner = await publisher();
  const { steps } = await running(owner, [0]);
  const edition = await stage.draft(owner);

  const [step, other] = await Promise.all([steps[0]!, edition.id].map((id) => owner.api.editions.preview({ id })));

  expect([step!.html, step!.text].filter((content) => content.includes('View in browser'))).toEqual([]);
  expect([other!.html, other!.text].filter((content) => content.includes('View in browser'))).toHaveLength(2);
});
