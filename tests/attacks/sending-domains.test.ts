import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sendingDomains } from '~/db/schema/sending-domains';
import { recordDmarcReport } from '~/server/domain/newsletter/record-dmarc-report';
import { newsletterStage } from '../domain/newsletter/sent-editions';
import '../support/matchers';

const stage = await newsletterStage();
const { runtime, clock, publisher, jobCtx, dnsZone } = stage;
const { db } = runtime;
const zone = await dnsZone!.get();
type Person = Awaited<ReturnType<typeof publisher>>;

async function claim(owner: Person, domain: string) {
  await stage.client`delete from rate_limits`;
  return owner.api.newsletter.addDomain({ domain, localPart: 'news' });
}
async function enterRecords(owner: Person, id: number) {
  const { domains } = await owner.api.newsletter.domains();
  for (const { host, type, value } of domains.find((one) => one.id === id)!.records)
    await zone.add({ host, type, value });
}
const stateOf = async (id: number) =>
  (await db.select({ state: sendingDomains.state }).from(sendingDomains).where(eq(sendingDomains.id, id)))[0]!.state;

test('the records of a domain prove neither the one above it nor one below it', async () => {
  const [owner, thief] = [await publisher(), await publisher()];
  const { id } = await claim(owner, 'mail.proven.example');
  await enterRecords(owner, id);
  expect(await owner.api.newsletter.checkDomain({ id })).toMatchObject({ state: 'verified' });

  for (const domain of ['proven.example', 'news.mail.proven.example']) {
    const { id: other } = await claim(thief, domain);
    expect(await thief.api.newsletter.checkDomain({ id: other })).toMatchObject({ state: 'pending' });
    const report = { domain, org: 'Provider', reportId: '1', beginsAt: clock.now, endsAt: clock.now };
    const counts = { messages: 1, passed: 1, dkimPassed: 1, spfPassed: 1, sources: [], otherSources: 0 };
    expect(await recordDmarcReport(jobCtx(), { ...report, ...counts })).toBe(false);
  }
});

test.each([
  ['of the platform', () => runtime.ports.mail.domain],
  ['below that of the platform', () => `x.${runtime.ports.mail.domain}`],
  ['that of the platform in capitals, with a dot', () => `${runtime.ports.mail.domain.toUpperCase()}.`],
  ['with letters of full width', () => runtime.ports.mail.domain.replace('a', '\uFF41')],
  ['with an invisible character', () => runtime.ports.mail.domain.replace('a', 'a\u00AD')],
  ['of a registry', () => 'co.uk'],
  ['of a host of many', () => 'github.io'],
  ['without a dot', () => 'localhost'],
])('a domain %s can’t be claimed', async (_, domain) => {
  const owner = await publisher();

  await expect(claim(owner, domain())).rejects.toThrow();

  expect((await owner.api.newsletter.domains()).domains).toEqual([]);
});

test('records full of other texts, of aliases to themselves and of other keys verify nothing', async () => {
  const owner = await publisher();
  const domain = 'noisy.example';
  const { id } = await claim(owner, domain);
  const { domains } = await owner.api.newsletter.domains();
  const { records } = domains[0]!;
  const hostOf = (name: string) => records.find((record) => record.name === name)!.host;
  for (let i = 0; i < 40; i += 1)
    await zone.add({ host: hostOf('dkim'), type: 'TXT', value: `v=DKIM1; k=rsa; p=${'A'.repeat(1000)}${i}` });
  await zone.add({ host: hostOf('returnPath'), type: 'CNAME', value: hostOf('returnPath') });
  for (const policy of ['none', 'reject'])
    await zone.add({ host: hostOf('dmarc'), type: 'TXT', value: `v=DMARC1; p=${policy}` });

  await owner.api.newsletter.checkDomain({ id });

  expect(await stateOf(id)).toBe('pending');
  const shown = (await owner.api.newsletter.domains()).domains[0]!;
  expect(shown.records.map(({ state }) => state)).not.toContain('found');
  expect(JSON.stringify(shown).length).toBeLessThan(20_000);
});
