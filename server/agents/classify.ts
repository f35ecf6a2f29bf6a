import { LRUCache } from 'lru-cache';
import { AGENT_LIMITS } from '../limits/agents';
import { saysBot } from './bots';
import { type AgentIndex, indexAgents, type Named } from './index-agents';
import { isMalformed, readableAgent } from './readable';
import { type AgentEntry, type AgentFile, mergeFiles, packagedFile } from './table';

/**
 * What a user agent says of a client. `app`, `os`: IDs of the table, `unknown` if it does not know them. A bot is a
 * machine, never a listener; `reason` says why.
 */
export type Classification = {
  kind: 'app' | 'browser' | 'library' | 'bot' | 'unknown';
  app: string;
  device: string;
  os: string;
  reason?: 'bot' | 'malformed';
};

type Loaded = { index: AgentIndex; names: Map<string, string>; systems: Map<string, string> };

const cache = new LRUCache<string, Classification>({ max: AGENT_LIMITS.cachedAgents });
let loaded: Loaded | null = null;

/** Uses an operator's table before ours from now on; ours alone if null, read when it is needed (20 ms). */
export function useAgentFile(own: AgentFile | null): void {
  loaded = own && load(own);
  cache.clear();
}

/** In constant time for known user agents, and in linear time for any text. */
export function classifyAgent(userAgent: string): Classification {
  const known = cache.get(userAgent);
  if (known) return known;
  const found = classify(userAgent, table().index);
  if (userAgent.length <= AGENT_LIMITS.cachedLength) cache.set(userAgent, found);
  return found;
}

/** The name of an app; the ID itself if it was removed from the table. */
export const appName = (id: string): string => table().names.get(id) ?? id;
export const osName = (id: string): string => table().systems.get(id) ?? id;
/** What the other rules of this engine ask. */
export const agentIndex = (): AgentIndex => table().index;

function table(): Loaded {
  loaded ??= load(null);
  return loaded;
}

function load(own: AgentFile | null): Loaded {
  const ours = packagedFile();
  const file = own ? mergeFiles(own, ours) : ours;
  const nameOf = ({ id, name }: { id: string; name: string }) => [id, name] as const;
  return {
    index: indexAgents(file),
    // a map keeps the last name of an ID, and the operator's comes first
    names: new Map(file.agents.toReversed().map(nameOf)),
    systems: new Map(file.systems.toReversed().map(nameOf)),
  };
}

function classify(userAgent: string, index: AgentIndex): Classification {
  const readable = readableAgent(userAgent);
  if (isMalformed(userAgent, readable))
    return { kind: 'bot', app: 'unknown', device: 'unknown', os: 'unknown', reason: 'malformed' };
  const entry = entryOf(readable, index);
  const os = index.system(readable) ?? entry?.os ?? 'unknown';
  const device = index.device(readable) ?? entry?.device ?? DEVICE_OF_SYSTEM[os] ?? 'unknown';
  const kind = entry?.kind ?? 'unknown';
  return { kind, app: entry?.id ?? 'unknown', device, os, ...(kind === 'bot' && { reason: 'bot' }) };
}

type Found = Pick<AgentEntry, 'id' | 'kind' | 'device' | 'os'>;

const UNKNOWN_BOT: Found = { id: 'unknown', kind: 'bot' };

/** In this order: names of the table, bots that say so, words of unknown agents, then browsers and libraries. */
function entryOf(readable: string, index: AgentIndex): Found | null {
  const named = index.named(readable);
  if (named && !isContradicted(named, readable)) return named.entry;
  if (named?.entry.kind !== 'library' && saysBot(readable)) return UNKNOWN_BOT;
  if (isUnknownTool(readable, index)) return UNKNOWN_BOT;
  return index.carrier(readable);
}

/** Bots put the name of an app in front of their own. A pattern over the whole agent has seen that. */
const isContradicted = ({ entry, isExact }: Named, readable: string): boolean =>
  entry.kind === 'app' && !isExact && saysBot(readable);

/** Apps of phones are listeners, whatever they are called. */
const isUnknownTool = (readable: string, { file }: AgentIndex): boolean =>
  !/cfnetwork|android|linux; u;|kaios/.test(readable) && file.words.some((word) => readable.includes(word));

const DEVICE_OF_SYSTEM: Record<string, string> = {
  ios: 'phone',
  android: 'phone',
  macos: 'computer',
  windows: 'computer',
  linux: 'computer',
  chromeos: 'computer',
  watchos: 'watch',
  tvos: 'tv',
};
