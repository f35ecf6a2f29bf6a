import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { dmarcReports } from '~/db/schema/sending-domains';
import { imapMailbox } from '~/server/adapters/mail/mailbox';
import { platformDmarc } from '~/server/domain/newsletter/dmarc-rate';
import { readMailbox } from '~/server/domain/newsletter/read-mailbox';
import { startImapPeer } from '../../support/imap-peer';
import { newsletterStage } from './sent-editions';

const { runtime, clock, publisher, jobCtx } = await newsletterStage();
const { db } = runtime;
const peer = await startImapPeer();
afterAll(peer.close);
const { domain } = runtime.ports.mail;
const seconds = (before: number) => Math.floor(clock.now.getTime() / 1000) - before;

const xml = (
  about: string,
  id: string,
) => `<?xml version="1.0"?><feedback><report_metadata><org_name>Provider</org_name>
<report_id>${id}</report_id><date_range><begin>${seconds(90_000)}</begin><end>${seconds(3600)}</end></date_range></report_metadata>
<policy_published><domain>${about}</domain><p>none</p></policy_published><record><row><source_ip>192.0.2.1</source_ip><count>7</count>
<policy_evaluated><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row>
<identifiers><header_from>${about}</header_from></identifiers></record></feedback>`;

/** As a provider sends it to the address of the record. */
function reportMail(to: string, about: string, id: string): string {
  const zipped = gzipSync(xml(about, id)).toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  return `From: noreply@provider.example\r\nTo: ${to}\r\nSubject: Report Domain: ${about}\r\nMIME-Version: 1.0\r\nContent-Type: application/gzip; name="r.xml.gz"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="r.xml.gz"\r\n\r\n${zipped}\r\n`;
}

test('a report that arrives at the address of the DMARC record is read from the mailbox, once', async () => {
  const owner = await publisher();
  await owner.api.newsletter.addDomain({ domain: 'reported.example', localPart: 'news' });
  const [claimed] = (await owner.api.newsletter.domains()).domains;
  const { value } = claimed!.records.find(({ name }) => name === 'dmarc')!;
  const [, to] = /rua=mailto:(\S+)$/.exec(value)!;
  expect(to).toBe(jobCtx().settings.dmarcReportsTo);
  runtime.ports.mailbox = imapMailbox({ url: peer.url, done: 'keep' });
  peer.put(reportMail(to!, domain, '1'));
  peer.put(reportMail(to!, domain, '1'));
  // nothing leaves from a domain before its records were found
  peer.put(reportMail(to!, 'reported.example', '2'));

  await readMailbox(jobCtx());

  expect(await platformDmarc(jobCtx())).toMatchObject({ domain, reports: 1, messages: 7, passed: 7, spfPassed: 0 });
  expect(await db.$count(dmarcReports, eq(dmarcReports.domain, 'reported.example'))).toBe(0);
  expect(peer.folders.get('INBOX')!.map(({ flags }) => [...flags])).toEqual([['\\Seen'], ['\\Seen'], ['\\Seen']]);
});
