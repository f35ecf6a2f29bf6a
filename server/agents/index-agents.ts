import type { Glob } from './glob';
import { productOf } from './readable';
import type { AgentEntry, AgentFile } from './table';

/** How exactly an agent is named: by its product, or by a pattern over all of it, which is deliberate. */
export type Named = { entry: AgentEntry; isExact: boolean };

type PatternOf<T> = { glob: Glob; entry: T };

/** The table in the form in which it is asked. */
export type AgentIndex = {
  file: AgentFile;
  /** Apps and bots, and libraries and browsers that name themselves first. Of several, the longest pattern wins. */
  named(readable: string): Named | null;
  /** Browsers and libraries that are named anywhere, in the order of the table. */
  carrier(readable: string): AgentEntry | null;
  device(readable: string): string | null;
  system(readable: string): string | null;
  /** The well-known site of a host. */
  site(host: string): Site | null;
  isBadSite(host: string): boolean;
};
type Site = AgentFile['referrers'][number];

export function indexAgents(file: AgentFile): AgentIndex {
  const products = new Map<string, AgentEntry>();
  const globs: PatternOf<AgentEntry>[] = [];
  const carriers: PatternOf<AgentEntry>[] = [];
  for (const entry of file.agents) {
    const isCarrier = entry.kind === 'browser' || entry.kind === 'library';
    for (const { text, glob } of entry.match) {
      const isProduct = !/[*#]/.test(text) && productOf(text) === text;
      if (isProduct && !products.has(text)) products.set(text, entry);
      if (!isProduct) (isCarrier ? carriers : globs).push({ glob, entry });
    }
  }
  // the first match is the longest; sorting keeps the order of equal ones
  globs.sort((a, b) => b.glob.literals - a.glob.literals);
  const devices = file.devices.flatMap(({ match, except = [], device }) =>
    match.map(({ glob }) => ({ glob, entry: { device, except } })),
  );
  const systems = file.systems.flatMap(({ match, id }) => match.map(({ glob }) => ({ glob, entry: id })));
  // the operator's come first, so they are set last
  const sites = new Map(file.referrers.toReversed().flatMap((site) => site.hosts.map((host) => [host, site] as const)));
  const badSites = new Set(file.badReferrers);
  return {
    file,
    named(readable) {
      const name = productOf(readable);
      const product = products.get(name);
      const found = globs.find(({ glob }) => glob.matches(readable));
      if (found && (!product || found.glob.literals > name.length)) return { entry: found.entry, isExact: true };
      return product ? { entry: product, isExact: false } : null;
    },
    carrier: (readable) => first(carriers, readable),
    device: (readable) =>
      devices.find(
        ({ glob, entry }) => glob.matches(readable) && !entry.except.some((other) => other.glob.matches(readable)),
      )?.entry.device ?? null,
    system: (readable) => first(systems, readable),
    site(host) {
      const known = domainsOf(host).find((domain) => sites.has(domain));
      return known === undefined ? null : sites.get(known)!;
    },
    isBadSite: (host) => domainsOf(host).some((domain) => badSites.has(domain)),
  };
}

const first = <T>(patterns: PatternOf<T>[], readable: string): T | null =>
  patterns.find(({ glob }) => glob.matches(readable))?.entry ?? null;

/** A host and the domains above it, the longest first. */
const domainsOf = (host: string): string[] => {
  const labels = host.split('.');
  return labels.map((_, i) => labels.slice(i).join('.'));
};
