import { agentIndex, appName, classifyAgent, osName } from '../agents/classify';
import { machineReason } from '../agents/machines';
import { referrerHost, referrerName } from '../agents/referrers';
import { auditCounting, type Counted, type CountingAudit } from '../domain/listening/audit-counting';
import { AUDIT_LIMITS } from '../limits/listening';
import { type Cell, type Command, type CommandGroup, factsOf, UsageError } from './command';

const GUIDELINE = 'IAB Podcast Measurement 2.3';

/** How statistics count a client. Options: what else a request says. */
const show: Command = {
  usage: 'show USER-AGENT [--referrer URL] [--address IP]',
  options: ['referrer', 'address'],
  async run({ ctx }, args, { referrer, address }) {
    const [userAgent, ...others] = args;
    if (userAgent === undefined || others.length > 0) throw new UsageError('expected one user agent, in quotes');
    const classification = classifyAgent(userAgent);
    const network = address === undefined ? null : await ctx.ports.geo.networkOf(address);
    const place = address === undefined ? null : await ctx.ports.geo.locate(address);
    const host = referrerHost(referrer, classification.kind);
    return factsOf({
      kind: classification.kind,
      app: `${appName(classification.app)} (${classification.app})`,
      device: classification.device,
      'operating system': osName(classification.os),
      ...(referrer !== undefined && { referrer: host && `${referrerName(host)} (${host})` }),
      ...(address !== undefined && { network: network && `AS${network.asn}`, country: place?.country ?? null }),
      ...(place?.region && { region: place.region }),
      counts: machineReason({ classification, referrer, network }) ?? 'yes',
      table: agentIndex().file.version ?? null,
    });
  },
};

/** The self-audit that the guideline asks for twice a year. */
const audit: Command = {
  usage: 'audit [--days N]',
  options: ['days'],
  async run({ ctx }, _, options) {
    const found = await auditCounting(ctx, daysIn(options.days));
    return [...factsOf(summaryOf(found)), ...factsOf(checksOf(found))];
  },
};

function daysIn(text: string | undefined): number {
  const days = text === undefined ? AUDIT_LIMITS.days : Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= AUDIT_LIMITS.mostDays) return days;
  throw new UsageError(`--days needs a number from 1 to ${AUDIT_LIMITS.mostDays}`);
}

function summaryOf(found: CountingAudit): Record<string, Cell> {
  const { downloads, unknown, machines } = found;
  return {
    guideline: GUIDELINE,
    'table of agents': agentIndex().file.version ?? null,
    period: `${found.from} to ${found.to} (UTC)`,
    downloads,
    'less than a minute': found.belowMinute,
    'removed as machines': found.removed,
    'requests of machines': machines.requests,
    ...linesOf('machines', machines.reasons),
    ...linesOf('machine', machines.agents),
    'unknown apps': `${unknown} (${percent(unknown, downloads)})`,
    ...linesOf('unknown', found.unknownAgents),
  };
}

function checksOf({ tooShort, newMachines, sample }: CountingAudit): Record<string, Cell> {
  return {
    'counted, but too short': tooShort,
    ...linesOf('counted, but a machine by now', newMachines),
    'days whose rollup was compared': sample.days,
    'days that differ from the raw events': sample.deviations.length,
    ...Object.fromEntries(
      sample.deviations.map(({ day, productId, listens, rawListens, downloads, rawDownloads }) => [
        `differs: show ${productId} on ${day}`,
        `${listens} listens (raw ${rawListens}), ${downloads} downloads (raw ${rawDownloads})`,
      ]),
    ),
  };
}

const linesOf = (what: string, counted: Counted[]): Record<string, number> =>
  Object.fromEntries(counted.map(({ name, count }) => [`${what}: ${name}`, count]));

const percent = (part: number, whole: number): string => `${whole === 0 ? 0 : ((part / whole) * 100).toFixed(1)} %`;

export const agentCommands: CommandGroup = { show, audit };
