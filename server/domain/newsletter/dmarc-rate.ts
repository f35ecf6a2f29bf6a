import { sql } from 'drizzle-orm';
import { dmarcReports } from '~/db/schema/sending-domains';
import { earlier, type Period } from '../../base/time';
import type { DmarcSource } from '../../bounces/dmarc-report';
import { INBOUND_LIMITS } from '../../limits/newsletter';
import type { Ctx } from '../../runtime/ctx';

/** How many of a domain's emails passed DMARC, as mail providers have reported. `sources`: the largest ones first. */
export type DmarcRate = {
  reports: number;
  messages: number;
  passed: number;
  dkimPassed: number;
  spfPassed: number;
  sources: DmarcSource[];
};

/** Of the domain of our senders, in the last days. */
export async function platformDmarc(ctx: Pick<Ctx, 'db' | 'now' | 'ports'>): Promise<DmarcRate & { domain: string }> {
  const domain = ctx.ports.mail.domain.toLowerCase();
  const from = earlier(ctx.now(), INBOUND_LIMITS.dmarcPeriod);
  return { domain, ...(await dmarcPassRate(ctx, domain, { from, until: null })) };
}

/** Of the reports that end in the period. The caller checks whose domain it is. */
export async function dmarcPassRate(
  { db }: Pick<Ctx, 'db'>,
  domain: string,
  { from, until }: Period,
): Promise<DmarcRate> {
  const end = until ? sql`and ${dmarcReports.endsAt} < ${until.toISOString()}::timestamptz` : sql``;
  const reports = sql`select * from ${dmarcReports} where ${dmarcReports.domain} = ${domain}
    and ${dmarcReports.endsAt} >= ${from.toISOString()}::timestamptz ${end}`;
  const [total] = (await db.execute(sql`
    select count(*) as reports, coalesce(sum(messages), 0) as messages, coalesce(sum(passed), 0) as passed,
      coalesce(sum(dkim_passed), 0) as dkim, coalesce(sum(spf_passed), 0) as spf
    from (${reports}) r`)) as unknown as Record<string, string>[];
  const sources = (await db.execute(sql`
    select s.ip, sum(s.messages) as messages, sum(s.passed) as passed
    from (${reports}) r, jsonb_to_recordset(r.sources) as s(ip text, messages bigint, passed bigint)
    group by s.ip order by sum(s.messages) desc, s.ip limit ${INBOUND_LIMITS.dmarcSources}`)) as unknown as Source[];
  return {
    reports: Number(total?.reports),
    messages: Number(total?.messages),
    passed: Number(total?.passed),
    dkimPassed: Number(total?.dkim),
    spfPassed: Number(total?.spf),
    sources: sources.map(({ ip, messages, passed }) => ({ ip, messages: Number(messages), passed: Number(passed) })),
  };
}

type Source = { ip: string; messages: string; passed: string };
