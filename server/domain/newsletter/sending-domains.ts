import { domainToUnicode } from 'node:url';
import { and, asc, eq, inArray } from 'drizzle-orm';
import { sendingDomainDays, sendingDomains } from '~/db/schema/sending-domains';
import type { DomainState, RecordReading } from '../../base/sending-records';
import { earlier, utcDay } from '../../base/time';
import { DOMAIN_LIMITS, INBOUND_LIMITS, WARM_UP } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { type DomainFacts, type WantedRecord, wantedRecords, zoneText } from '../../sending-domains/wanted-records';
import { shareOf, warmUpDay } from '../../sending-domains/warm-up';
import { findCreator } from '../creators/queries';
import { type DmarcRate, dmarcPassRate } from './dmarc-rate';
import { domainNotFound } from './errors';
import { bounceDomain, senderAddress } from './sender';

export type DomainRow = typeof sendingDomains.$inferSelect;

/** A record to enter, and what DNS has. `zone`: a TXT value as zone files have it, if it is too long for one string. */
export type RecordView = WantedRecord & RecordReading & { zone: string | null };
/** `share`: emails a day; null once the warm-up is over. `reserved`: of today's. */
export type WarmUpView = { day: number; days: number; share: number; reserved: number };
export type SendingDomainView = {
  id: number;
  domain: string;
  /** As people write it. */
  name: string;
  localPart: string;
  address: string;
  state: DomainState;
  /** Whether editions leave from it: of several verified domains, from the one that was verified first. */
  isUsed: boolean;
  records: RecordView[];
  checkedAt: Date | null;
  isUnanswered: boolean;
  /** Null before the first email, and after the warm-up. */
  warmUp: WarmUpView | null;
  isWarm: boolean;
};
export type SendingDomainsView = {
  domains: SendingDomainView[];
  platform: string;
  dmarc: (DmarcRate & { domain: string }) | null;
};

/**
 * The sending domains of the creator for whom the user works. `platform`: the address without a domain, or beyond its
 * share. `dmarc`: what mail providers report about the domain in use.
 */
export async function listSendingDomains(ctx: Ctx): Promise<SendingDomainsView> {
  const { id: creatorId } = authorize(ctx, 'creator.manageDomains', currentCreator(ctx));
  const creator = await findCreator(ctx, creatorId);
  const rows = await ctx.db
    .select()
    .from(sendingDomains)
    .where(eq(sendingDomains.creatorId, creatorId))
    .orderBy(sendingDomains.id)
    .limit(DOMAIN_LIMITS.domains);
  const [used, today] = [await lookupUsedDomain(ctx, creatorId), await reservedToday(ctx, rows)];
  const domains = rows.map((row) =>
    toView(ctx, row, { isUsed: row.id === used?.id, reserved: today.get(row.id) ?? 0 }),
  );
  return { domains, platform: senderAddress(ctx, creator), dmarc: used && (await reportsAbout(ctx, used)) };
}

/** Not of the time before: another creator may have had the domain. */
async function reportsAbout(ctx: Ctx, { domain, verifiedAt }: DomainRow): Promise<DmarcRate & { domain: string }> {
  const from = earlier(ctx.now(), INBOUND_LIMITS.dmarcPeriod);
  const since = verifiedAt && verifiedAt > from ? verifiedAt : from;
  return { ...(await dmarcPassRate(ctx, domain, { from: since, until: null })), domain };
}

/** The verified domain from which a creator's editions leave. */
export async function lookupUsedDomain({ db }: Pick<Ctx, 'db'>, creatorId: number): Promise<DomainRow | null> {
  const [row] = await db
    .select()
    .from(sendingDomains)
    .where(and(eq(sendingDomains.creatorId, creatorId), eq(sendingDomains.state, 'verified')))
    .orderBy(asc(sendingDomains.verifiedAt), asc(sendingDomains.id))
    .limit(1);
  return row ?? null;
}

export async function lookupLostDomain({ db }: Pick<Ctx, 'db'>, creatorId: number): Promise<string | null> {
  const [row] = await db
    .select({ domain: sendingDomains.domain })
    .from(sendingDomains)
    .where(and(eq(sendingDomains.creatorId, creatorId), eq(sendingDomains.state, 'lost')))
    .orderBy(sendingDomains.id)
    .limit(1);
  return row?.domain ?? null;
}

/** @throws newsletter.domain_not_found */
export async function findDomainRow(
  { db }: Pick<Ctx, 'db'>,
  { creatorId, id }: { creatorId: number; id: number },
): Promise<DomainRow> {
  const [row] = await db.select().from(sendingDomains).where(whereDomain({ creatorId, id }));
  if (!row) throw domainNotFound();
  return row;
}

export const whereDomain = ({ creatorId, id }: { creatorId: number; id: number }) =>
  and(eq(sendingDomains.creatorId, creatorId), eq(sendingDomains.id, id));

export const addressOf = ({ localPart, domain }: Pick<DomainRow, 'localPart' | 'domain'>): string =>
  `${localPart}@${domain}`;

export const factsOf = (
  ctx: Pick<Ctx, 'ports' | 'settings'>,
  { domain, selector, publicKey }: Pick<DomainRow, 'domain' | 'selector' | 'publicKey'>,
): DomainFacts => ({
  domain,
  selector,
  publicKey,
  mailDomain: bounceDomain(ctx),
  reportsTo: ctx.settings.dmarcReportsTo,
});

async function reservedToday({ db, now }: Ctx, rows: DomainRow[]): Promise<Map<number, number>> {
  if (rows.length === 0) return new Map();
  const isOne = inArray(
    sendingDomainDays.domainId,
    rows.map(({ id }) => id),
  );
  const days = await db
    .select()
    .from(sendingDomainDays)
    .where(and(isOne, eq(sendingDomainDays.day, utcDay(now()))));
  return new Map(days.map(({ domainId, reserved }) => [domainId, reserved]));
}

type Use = { isUsed: boolean; reserved: number };

function toView(ctx: Ctx, row: DomainRow, { isUsed, reserved }: Use): SendingDomainView {
  const { id, domain, localPart, state, readings, checkedAt, isUnanswered, warmUpStartedAt } = row;
  const records = wantedRecords(factsOf(ctx, row)).map((record) => ({
    ...record,
    ...readings[record.name],
    zone: record.type === 'TXT' && record.value.length > 255 ? zoneText(record.value) : null,
  }));
  const day = warmUpStartedAt && warmUpDay(warmUpStartedAt, ctx.now());
  const share = day && shareOf(day);
  return {
    ...{ id, domain, name: domainToUnicode(domain), localPart, state, isUsed, records, checkedAt, isUnanswered },
    address: addressOf(row),
    warmUp: day && share ? { day, days: WARM_UP.days, share, reserved: Math.min(reserved, share) } : null,
    isWarm: day !== null && share === null,
  };
}
