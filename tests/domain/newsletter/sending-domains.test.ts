import { eq } from 'drizzle-orm';
import { authenticate } from 'mailauth';
import { beforeEach, expect, test } from 'vitest';
import { dmarcReports, editionRecipients, sendingDomainDays, sendingDomains } from '~/db/schema/newsletter';
import { outbox } from '~/db/schema/notifications';
import { members } from '~/db/schema/team';
import { dnsResolver } from '~/server/adapters/dns/resolver';
import { DAYS, HOURS, later } from '~/server/base/time';
import { recheckDomain, recheckDomains } from '~/server/domain/newsletter/check-sending-domain';
import { composeMailing } from '~/server/domain/newsletter/compose-mailing';
import { deliverStep } from '~/server/domain/newsletter/deliver-step';
import { emailTag } from '~/server/domain/newsletter/email-tags';
import { eraseNewsletter } from '~/server/domain/newsletter/erase-newsletter';
import { lookupOwnSender } from '~/server/domain/newsletter/own-sender';
import { receiveMessage } from '~/server/domain/newsletter/receive-message';
import { recordDmarcReport } from '~/server/domain/newsletter/record-dmarc-report';
import { reserveShare } from '~/server/domain/newsletter/reserve-share';
import { systemCtx } from '~/server/runtime/runtime';
import { startNameServer } from '~/server/sandbox/dns/name-server';
import '../../support/matchers';
import { automationStage } from './running-automations';

const stage = await automationStage();
const { runtime, make, as, clock, publisher, addContacts, draft, deliver, jobCtx, dnsZone, pauseAt } = stage;
const { db } = runtime;
const zone = await dnsZone!.get();

// all creators of a test share an address
beforeEach(() => stage.client`delete from rate_limits`.then(() => {}));

type Person = Awaited<ReturnType<typeof publisher>>;
let number = 0;
const newName = () => {
  number += 1;
  return `letters${number}.example`;
};

async function listed({ api }: Person) {
  return (await api.newsletter.domains()).domains;
}

/** Enters the records that the screen shows. */
async function enterRecords(owner: Person, id: number, except: string[] = []) {
  const { records } = (await listed(owner)).find((domain) => domain.id === id)!;
  for (const { name, host, type, value } of records) if (!except.includes(name)) await zone.add({ host, type, value });
  return Object.fromEntries(records.map(({ name, host }) => [name, host])) as Record<string, string>;
}

async function verified(owner: Person, domain = newName()) {
  const { id } = await owner.api.newsletter.addDomain({ domain, localPart: 'news' });
  const hosts = await enterRecords(owner, id);
  expect(await owner.api.newsletter.checkDomain({ id })).toEqual({ state: 'verified', isUnanswered: false });
  return { id, domain, hosts };
}

const rowOf = async (id: number) => (await db.select().from(sendingDomains).where(eq(sendingDomains.id, id)))[0]!;

/** Sends an edition to its contacts. @returns the numbers of emails by their sender's domain */
async function sent(owner: Person, now = clock.now) {
  const edition = await draft(owner);
  await owner.api.editions.send(edition as never);
  const froms: Record<string, number> = {};
  await deliver(edition.id, {
    now,
    answer: ({ from }) => {
      const host = from.slice(from.indexOf('@') + 1);
      froms[host] = (froms[host] ?? 0) + 1;
      return {};
    },
  });
  return { froms, id: edition.id };
}

test('a domain is used once all three records are found, and says which are missing before', async () => {
  const owner = await publisher();
  const domain = newName();
  const { id } = await owner.api.newsletter.addDomain({ domain, localPart: 'news' });

  expect(await owner.api.newsletter.checkDomain({ id })).toMatchObject({ state: 'pending' });
  expect((await listed(owner))[0]!.records.map(({ state }) => state)).toEqual(['missing', 'missing', 'missing']);

  await enterRecords(owner, id, ['dmarc']);
  expect(await owner.api.newsletter.checkDomain({ id })).toMatchObject({ state: 'pending' });
  expect((await listed(owner))[0]!.records.map(({ state }) => state)).toEqual(['found', 'found', 'missing']);

  await zone.add({ host: `_dmarc.${domain}`, type: 'TXT', value: 'v=DMARC1; p=reject' });
  expect(await owner.api.newsletter.checkDomain({ id })).toMatchObject({ state: 'verified' });
  expect(await owner.api.newsletter.settings()).toMatchObject({ from: `news@${domain}`, lostDomain: null });
});

test('emails from an own domain pass DKIM, SPF and DMARC', async () => {
  const owner = await publisher();
  const { domain } = await verified(owner);
  const [contact] = await addContacts(owner.creatorId, 1);
  const edition = await draft(owner);
  const rest = `${owner.domain}@${runtime.ports.mail.domain}`;
  expect(await owner.api.editions.preview({ id: edition.id })).toMatchObject({
    from: `news@${domain}`,
    restFrom: rest,
  });
  await owner.api.editions.send(edition as never);
  const own = await lookupOwnSender(jobCtx(), owner.creatorId);
  const mailing = await composeMailing(jobCtx(), await stage.rowOf(edition.id), own);
  const leased = { contactId: contact!.id, language: 'en', pays: false, isTracked: false, attempts: 1 } as const;
  const message = mailing({ ...leased, email: contact!.email, name: 'Nora' }, true);
  const platform = runtime.ports.mail.domain;
  await zone.add({ host: platform, type: 'TXT', value: 'v=spf1 ip4:192.0.2.7 -all' });

  const { dkim, spf, dmarc } = await authenticate(await message.bytes(), {
    ...{ ip: '192.0.2.7', helo: `mta.${platform}`, mta: 'mx', sender: message.from },
    async resolver(name, type) {
      const found = type === 'TXT' ? await runtime.ports.dns.texts(name) : [];
      if (found?.length) return found.map((text) => [text]);
      throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    },
  });

  expect(message.from).toMatch(new RegExp(`^bounces[+].+@altavoz[.]${domain}$`));
  expect((await message.bytes()).toString()).toContain(`<news@${domain}>`);
  expect(dkim.results.map(({ status }) => status.result)).toEqual(['pass']);
  expect(spf?.status.result).toBe('pass');
  expect(dmarc?.status.result).toBe('pass');
});

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

test('a domain whose key disappears is lost at once, its owner is told once, and the edition finishes', async () => {
  const owner = await publisher();
  const { id, domain, hosts } = await verified(owner);
  await addContacts(owner.creatorId, 3);
  await zone.remove(hosts.dkim!);
  await recheckDomain(systemCtx(runtime, 'newsletter.check-domain'), { domainId: id });
  await recheckDomain(systemCtx(runtime, 'newsletter.check-domain'), { domainId: id });

  expect((await rowOf(id)).state).toBe('lost');
  expect(await db.$count(outbox, eq(outbox.topic, 'domain_lost'))).toBe(1);
  expect(await owner.api.newsletter.settings()).toMatchObject({ lostDomain: domain });
  expect((await sent(owner)).froms).toEqual({ [runtime.ports.mail.domain]: 3 });
});

test('name servers that do not answer change nothing, and the screen says so', async () => {
  const owner = await publisher();
  const { id } = await verified(owner);
  const silent = {
    ...runtime.ports,
    dns: { texts: async () => null, aliases: async () => null, close: async () => {} },
  };
  await recheckDomain({ ...systemCtx(runtime, 'newsletter.check-domain'), ports: silent }, { domainId: id });

  expect(await rowOf(id)).toMatchObject({ state: 'verified', isUnanswered: true });
  expect((await listed(owner))[0]).toMatchObject({ isUnanswered: true, state: 'verified' });
});

test('of two creators with one domain, the first who verifies it has it, also if both check at once', async () => {
  const [first, second] = [await publisher(), await publisher()];
  const domain = newName();
  const one = await first.api.newsletter.addDomain({ domain, localPart: 'news' });
  const two = await second.api.newsletter.addDomain({ domain, localPart: 'other' });
  await enterRecords(first, one.id);
  await enterRecords(second, two.id, ['returnPath', 'dmarc']);
  const pause = pauseAt('domain.looked');
  const checking = second.api.newsletter.checkDomain({ id: two.id });
  await pause.reachedBy(checking);
  await first.api.newsletter.checkDomain({ id: one.id });
  pause.goOn();

  await expect(checking).toFailWith('newsletter.domain_taken');
  expect((await rowOf(two.id)).state).toBe('pending');
  await recheckDomain(systemCtx(runtime, 'newsletter.check-domain'), { domainId: two.id });
  expect((await rowOf(two.id)).state).toBe('pending');
  await first.api.newsletter.removeDomain({ id: one.id });
  expect(await second.api.newsletter.checkDomain({ id: two.id })).toMatchObject({ state: 'verified' });
});

test('the records of another creator’s claim do not verify one’s own', async () => {
  const [owner, thief] = [await publisher(), await publisher()];
  const { domain } = await verified(owner);
  const { id } = await thief.api.newsletter.addDomain({ domain, localPart: 'news' });

  expect(await thief.api.newsletter.checkDomain({ id })).toMatchObject({ state: 'pending' });
});

test.each<[string, string]>([
  ['gmail.com', 'newsletter.domain_of_mailboxes'],
  ['127.0.0.1', 'newsletter.domain_invalid'],
  ['example.com\r\nx', 'newsletter.domain_invalid'],
  ['lucia.altavoz.localhost', 'newsletter.domain_invalid'],
])('the domain %j is refused with %s', async (domain, code) => {
  const owner = await publisher();
  await expect(owner.api.newsletter.addDomain({ domain, localPart: 'news' })).toFailWith(code);
});

test.each(['', 'a'.repeat(65), 'a..b', '.a', 'a b', 'a@b', 'a\r\nBcc:x', '"a"', 'ñ'])(
  'the address %j@ is refused',
  async (localPart) => {
    const owner = await publisher();
    await expect(owner.api.newsletter.addDomain({ domain: newName(), localPart })).rejects.toThrow();
    expect(await listed(owner)).toEqual([]);
  },
);

test('a creator has three domains at most, each once, also with many requests at once', async () => {
  const owner = await publisher();
  const added = await Promise.allSettled(
    Array.from({ length: 6 }, () => owner.api.newsletter.addDomain({ domain: newName(), localPart: 'news' })),
  );

  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const [{ id, domain }] = (await listed(owner)) as unknown as [{ id: number; domain: string }];
  await owner.api.newsletter.removeDomain({ id });
  await owner.api.newsletter.addDomain({ domain, localPart: 'news' });
  expect(await listed(owner)).toHaveLength(3);
});

test('another creator and the team can’t touch a domain, and no answer has its private key', async () => {
  const [owner, other] = [await publisher(), await publisher()];
  const { id } = await verified(owner);
  const person = await make.person();
  await db.insert(members).values({ creatorId: owner.creatorId, userId: person.id, role: 'editor' });
  await (await as(person, 'web')).team.switch({ creatorId: owner.creatorId });
  const asEditor = await as(person, 'web');

  for (const act of ['checkDomain', 'removeDomain'] as const) {
    await expect(other.api.newsletter[act]({ id })).toFailWith('newsletter.domain_not_found');
    await expect(asEditor.newsletter[act]({ id })).toFailWith('common.role_not_allowed');
  }
  await expect(asEditor.newsletter.domains()).toFailWith('common.role_not_allowed');
  const answer = JSON.stringify(await owner.api.newsletter.domains());
  const { sealedKey } = await rowOf(id);
  expect(answer).not.toContain('PRIVATE KEY');
  expect(answer).not.toContain(sealedKey);
  expect(sealedKey).not.toContain('PRIVATE KEY');
});

test('domains are checked once a day, and forgotten ones no longer', async () => {
  const owner = await publisher();
  const { id } = await verified(owner);
  const { id: forgotten } = await owner.api.newsletter.addDomain({ domain: newName(), localPart: 'news' });
  const enqueuedAt = async (now: Date) => {
    const names: number[] = [];
    const ctx = systemCtx(runtime, 'newsletter.check-domains');
    const joiningAll = () => async (_: unknown, payloads: readonly unknown[]) => {
      names.push(...payloads.map((payload) => (payload as { domainId: number }).domainId));
    };
    await recheckDomains({ ...ctx, now: () => now, queue: { ...ctx.queue, joiningAll } as never });
    return names.filter((one) => one === id || one === forgotten);
  };

  expect(await enqueuedAt(later(clock.now, HOURS(23)))).toEqual([]);
  expect((await enqueuedAt(later(clock.now, DAYS(1)))).sort()).toEqual([id, forgotten].sort());
  expect(await enqueuedAt(later(clock.now, DAYS(15)))).toEqual([id]);
});

test('erasing a newsletter deletes its domains with their keys', async () => {
  const owner = await publisher();
  const { id } = await verified(owner);
  await eraseNewsletter(jobCtx(), { userId: owner.id });

  expect(await rowOf(id)).toBeUndefined();
});

const reportOn = (domain: string, reportId = '1') => ({
  ...{ domain, org: 'Provider', reportId, beginsAt: later(clock.now, -DAYS(1)), endsAt: clock.now },
  ...{ messages: 10, passed: 9, dkimPassed: 9, spfPassed: 9, otherSources: 0 },
  sources: [{ ip: '192.0.2.1', messages: 10, passed: 9 }],
});

test('DMARC reports about a verified domain are shown to its owner only, and end with the domain', async () => {
  const [owner, other] = [await publisher(), await publisher()];
  const { id, domain } = await verified(owner);
  await other.api.newsletter.addDomain({ domain, localPart: 'news' });
  const pending = newName();
  await other.api.newsletter.addDomain({ domain: pending, localPart: 'news' });

  expect(await recordDmarcReport(jobCtx(), reportOn(domain))).toBe(true);
  expect(await recordDmarcReport(jobCtx(), reportOn(pending))).toBe(false);
  expect((await owner.api.newsletter.domains()).dmarc).toMatchObject({ domain, reports: 1, messages: 10, passed: 9 });
  expect((await other.api.newsletter.domains()).dmarc).toBeNull();

  const [claim] = await listed(other);
  await other.api.newsletter.removeDomain({ id: claim!.id });
  expect(await db.$count(dmarcReports, eq(dmarcReports.domain, domain))).toBe(1);
  await owner.api.newsletter.removeDomain({ id });
  expect(await db.$count(dmarcReports, eq(dmarcReports.domain, domain))).toBe(0);
});

test('erasing a newsletter deletes the reports about its domains, and a later owner sees none from before', async () => {
  const [owner, next] = [await publisher(), await publisher()];
  const { domain, hosts } = await verified(owner);
  await recordDmarcReport(jobCtx(), reportOn(domain));
  await eraseNewsletter(jobCtx(), { userId: owner.id });
  expect(await db.$count(dmarcReports, eq(dmarcReports.domain, domain))).toBe(0);

  for (const host of Object.values(hosts)) await zone.remove(host);
  const { id } = await verified(next, domain);
  await recordDmarcReport(jobCtx(), reportOn(domain));
  await db
    .update(sendingDomains)
    .set({ verifiedAt: later(clock.now, 1) })
    .where(eq(sendingDomains.id, id));
  expect((await next.api.newsletter.domains()).dmarc).toMatchObject({ reports: 0 });
});

test('a bounce at the return path of an own domain settles its email', async () => {
  const owner = await publisher();
  const { domain } = await verified(owner);
  const [reader] = await addContacts(owner.creatorId, 1);
  const { id: editionId } = await sent(owner);
  const tag = emailTag(jobCtx(), { editionId, contactId: reader!.id });
  const part = (type: string, text: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
  const bounce = [
    `From: MAILER-DAEMON@mx.example\r\nTo: bounces+${tag}@altavoz.${domain}\r\nMIME-Version: 1.0\r\n`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n',
    part(
      'message/delivery-status',
      `Reporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; ${reader!.email}\r\nAction: failed\r\nStatus: 5.1.1\r\n`,
    ),
    '--b--\r\n',
  ].join('');

  expect(await receiveMessage(jobCtx(), Buffer.from(bounce))).toBe('bounce');
  expect(await stage.statesOf(editionId)).toEqual({ [reader!.email]: 'bounced' });
});

test('over the wire: long records come over TCP, circles of aliases end, silence is no answer', async () => {
  const long = `v=DKIM1; p=${'A'.repeat(60_000)}`;
  const server = await startNameServer(async (host) => {
    if (host === 'silent.example') return null;
    if (host === 'broken.example') throw new Error('broken');
    if (host === 'a.example') return [{ host, type: 'CNAME', value: 'b.example' }];
    if (host === 'b.example') return [{ host, type: 'CNAME', value: 'a.example' }];
    return host === 'long.example' ? [{ host, type: 'TXT', value: long }] : [];
  });
  const dns = dnsResolver(async () => [server.address]);

  expect(await dns.texts('long.example')).toEqual([long]);
  expect(await dns.aliases('a.example')).toEqual(['b.example']);
  expect(await dns.texts('a.example')).not.toContain(long);
  expect(await dns.texts('nothing.example')).toEqual([]);
  expect(await dns.texts('broken.example')).toBeNull();
  expect(await dns.texts('silent.example')).toBeNull();
  await server.close();
});
