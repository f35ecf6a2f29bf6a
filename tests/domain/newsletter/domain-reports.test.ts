import { eq } from 'drizzle-orm';
import { dmarcReports, sendingDomains } from '~/db/schema/sending-domains';
import { DAYS, later } from '~/server/base/time';
import { emailTag } from '~/server/domain/newsletter/email-tags';
import { eraseNewsletter } from '~/server/domain/newsletter/erase-newsletter';
import { receiveMessage } from '~/server/domain/newsletter/receive-message';
import { recordDmarcReport } from '~/server/domain/newsletter/record-dmarc-report';
import '../../support/matchers';
import { expect, test } from 'vitest';
import { domainStage } from './domain-stage';

const stage = await domainStage();
const { runtime, clock, publisher, addContacts, jobCtx, zone, newName, listed, verified, sent } = stage;
const { db } = runtime;

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
