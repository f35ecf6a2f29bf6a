import { eq } from 'drizzle-orm';
import { editionRecipients } from '~/db/schema/newsletter';
import { formerSendingDomains, sendingDomainDays, sendingDomains } from '~/db/schema/sending-domains';
import { DAYS, later } from '~/server/base/time';
import { deliverStep } from '~/server/domain/newsletter/deliver-step';
import { reserveShare } from '~/server/domain/newsletter/reserve-share';
import { sweepWarmUps } from '~/server/domain/newsletter/warm-up-again';
import { DOMAIN_LIMITS } from '~/server/limits/newsletter';
import '../../support/matchers';
import { expect, test } from 'vitest';
import { domainStage } from './domain-stage';

const stage = await domainStage();
const { runtime, clock, publisher, addContacts, draft, deliver, jobCtx, zone, listed, verified, sent } = stage;
const { db } = runtime;

test('what exceeds the day’s share leaves from the platform, and after 42 days nothing does', async () => {
  const owner = await publisher();
  const { id, domain } = await verified(owner);
  await addContacts(owner.creatorId, 110);
  const own = `altavoz.${domain}`;
  const platform = runtime.ports.mail.domain;

  expect((await sent(owner)).froms).toEqual({ [own]: 100, [platform]: 10 });
  expect((await sent(owner)).froms).toEqual({ [platform]: 110 });
  expect((await listed(owner))[0]!.warmUp).toEqual({ day: 1, days: 42, share: 100, reserved: 100 });
  expect((await sent(owner, later(clock.now, DAYS(1)))).froms).toEqual({ [own]: 110 });
  await db
    .update(sendingDomains)
    .set({ warmUpStartedAt: later(clock.now, -DAYS(42)) })
    .where(eq(sendingDomains.id, id));
  expect((await sent(owner)).froms).toEqual({ [own]: 110 });
  expect((await listed(owner))[0]).toMatchObject({ warmUp: null, isWarm: true });
});

test('a domain that is removed and added again continues its warm-up, with what is left of its day', async () => {
  const owner = await publisher();
  const { id, domain, hosts } = await verified(owner);
  await addContacts(owner.creatorId, 70);
  const own = `altavoz.${domain}`;
  await sent(owner);
  const addAgain = async (former: number) => {
    await owner.api.newsletter.removeDomain({ id: former });
    for (const host of Object.values(hosts)) await zone.remove(host);
    return (await verified(owner, domain)).id;
  };

  const again = await addAgain(id);

  expect((await listed(owner))[0]!.warmUp).toEqual({ day: 1, days: 42, share: 100, reserved: 70 });
  expect((await sent(owner)).froms).toEqual({ [own]: 30, [runtime.ports.mail.domain]: 40 });
  clock.now = later(clock.now, DAYS(3));
  const third = await addAgain(again);
  expect((await listed(owner))[0]!.warmUp).toMatchObject({ day: 4, reserved: 0 });
  await owner.api.newsletter.removeDomain({ id: third });
  clock.now = later(clock.now, DOMAIN_LIMITS.warmUpKept + 1);
  await sweepWarmUps(jobCtx());
  expect(await db.$count(formerSendingDomains)).toBe(0);
});

test('another creator who adds a removed domain begins its warm-up', async () => {
  const [owner, other] = [await publisher(), await publisher()];
  const { id, domain, hosts } = await verified(owner);
  await addContacts(owner.creatorId, 10);
  await sent(owner);
  await owner.api.newsletter.removeDomain({ id });
  for (const host of Object.values(hosts)) await zone.remove(host);

  await verified(other, domain);

  expect((await listed(other))[0]).toMatchObject({ warmUp: null, isWarm: false });
});

test('many workers at once never exceed the share, and an email that is tried again counts once', async () => {
  const owner = await publisher();
  const { id } = await verified(owner);
  const readers = await addContacts(owner.creatorId, 160);
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const parts = Array.from({ length: 8 }, (_, i) => readers.slice(i * 20, (i + 1) * 20).map((reader) => reader.id));
  const batch = { editionId: edition.id, domainId: id };

  const granted = await Promise.all(parts.map((contactIds) => reserveShare(jobCtx(), { ...batch, contactIds })));
  const all = granted.flatMap((set) => [...set]);
  const again = await Promise.all(parts.map((contactIds) => reserveShare(jobCtx(), { ...batch, contactIds })));

  expect(all).toHaveLength(100);
  expect(again.flatMap((set) => [...set]).sort()).toEqual(all.sort());
  const [day] = await db.select().from(sendingDomainDays).where(eq(sendingDomainDays.domainId, id));
  expect(day!.reserved).toBe(100);
  expect(await db.$count(editionRecipients, eq(editionRecipients.usesOwnDomain, true))).toBeGreaterThanOrEqual(100);
});

test('the emails of an automation leave from the own domain, too, within the same share', async () => {
  const owner = await publisher();
  const { domain } = await verified(owner);
  const { steps } = await stage.running(owner, [0]);
  const readers = await addContacts(owner.creatorId, 2);
  for (const { id } of readers) await stage.signUp(id);
  const froms: string[] = [];

  await deliver(steps[0]!, {
    run: deliverStep,
    answer: ({ from }) => {
      froms.push(from.slice(from.indexOf('@') + 1));
      return {};
    },
  });

  expect(froms).toEqual([`altavoz.${domain}`, `altavoz.${domain}`]);
  expect((await listed(owner))[0]!.warmUp).toMatchObject({ reserved: 2 });
});
