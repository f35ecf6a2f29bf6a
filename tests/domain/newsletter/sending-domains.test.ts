import { eq } from 'drizzle-orm';
import { authenticate } from 'mailauth';
import { outbox } from '~/db/schema/notifications';
import { members } from '~/db/schema/team';
import { dnsResolver } from '~/server/adapters/dns/resolver';
import { DAYS, HOURS, later } from '~/server/base/time';
import { recheckDomain, recheckDomains } from '~/server/domain/newsletter/check-sending-domain';
import { composeMailing } from '~/server/domain/newsletter/compose-mailing';
import { eraseNewsletter } from '~/server/domain/newsletter/erase-newsletter';
import { lookupOwnSender } from '~/server/domain/newsletter/own-sender';
import { systemCtx } from '~/server/runtime/runtime';
import { startNameServer } from '~/server/sandbox/dns/name-server';
import '../../support/matchers';
import { expect, test } from 'vitest';
import { domainStage } from './domain-stage';

const stage = await domainStage();
const {
  runtime,
  make,
  as,
  clock,
  publisher,
  addContacts,
  draft,
  jobCtx,
  pauseAt,
  zone,
  newName,
  listed,
  enterRecords,
  verified,
  domainRowOf,
  sent,
} = stage;
const { db } = runtime;

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

test('a domain whose key disappears is lost at once, its owner is told once, and the edition finishes', async () => {
  const owner = await publisher();
  const { id, domain, hosts } = await verified(owner);
  await addContacts(owner.creatorId, 3);
  await zone.remove(hosts.dkim!);
  await recheckDomain(systemCtx(runtime, 'newsletter.check-domain'), { domainId: id });
  await recheckDomain(systemCtx(runtime, 'newsletter.check-domain'), { domainId: id });

  expect((await domainRowOf(id)).state).toBe('lost');
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

  expect(await domainRowOf(id)).toMatchObject({ state: 'verified', isUnanswered: true });
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
  expect((await domainRowOf(two.id)).state).toBe('pending');
  await recheckDomain(systemCtx(runtime, 'newsletter.check-domain'), { domainId: two.id });
  expect((await domainRowOf(two.id)).state).toBe('pending');
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
  const { sealedKey } = await domainRowOf(id);
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

  expect(await domainRowOf(id)).toBeUndefined();
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
