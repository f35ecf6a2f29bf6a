import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cpuSeconds, HAS_WRK, pinned } from './machine';
import { median } from './table';

export type Target = {
  url: string;
  /** The process that answers. */
  pid: number;
  headers?: Record<string, string>;
  connections?: number;
  /** A Lua script that makes each request, and its arguments (wrk only). */
  script?: string[];
};
type Round = {
  perSecond: number;
  p99Ms: number;
  failed: number;
  /** What one core gives when it does nothing else: requests by the processor time that the server took for them. */
  perCore: number;
};
export type Load = Round & { rounds: Round[] };

const run = promisify(execFile);
const CLIENT = 0;
const ROUNDS = 7;

/**
 * Asks each target in turn, round after round, so that what else the machine does falls on all of them alike.
 * @returns the best round of each, in their order: other work on the machine can only take away from a figure
 */
export async function compared<const T extends readonly Target[]>(
  targets: T,
  { seconds = 2, rounds: count = ROUNDS } = {},
): Promise<{ [K in keyof T]: Load }> {
  const rounds: Round[][] = targets.map(() => []);
  for (const target of targets) await load(target, 1);
  for (let round = 0; round < count; round++) {
    // there and back again: a machine that gets slower by the minute would favour whoever comes first
    const turns = [...targets.entries()];
    if (round % 2) turns.reverse();
    for (const [i, target] of turns) rounds[i]!.push(await load(target, seconds));
  }
  return rounds.map(best) as { [K in keyof T]: Load };
}

/** A request that failed in any round is not forgotten. */
function best(rounds: Round[]): Load {
  const [first] = [...rounds].sort((a, b) => b.perSecond - a.perSecond);
  const failed = rounds.reduce((sum, one) => sum + one.failed, 0);
  return { ...first!, failed, perCore: Math.max(...rounds.map(({ perCore }) => perCore)), rounds };
}

/** How one compares with another: the median of the rounds, each against the other's round beside it. */
export function share(ours: Load, other: Load): number {
  return median(ours.rounds.map(({ perSecond }, i) => perSecond / other.rounds[i]!.perSecond));
}

export async function load(target: Target, seconds: number): Promise<Round> {
  const [before, began] = [cpuSeconds(target.pid), performance.now()];
  const asked = await ask(target, seconds);
  const spent = cpuSeconds(target.pid) - before;
  const lasted = (performance.now() - began) / 1000;
  return { ...asked, perCore: (asked.perSecond * Math.min(lasted, seconds)) / spent };
}

async function ask(target: Target, seconds: number): Promise<Omit<Round, 'perCore'>> {
  const { url, headers = {}, connections = 32, script } = target;
  const header = Object.entries(headers).flatMap(([name, value]) => ['-H', `${spelt(name)}: ${value}`]);
  if (!HAS_WRK) return withAutocannon(url, header, connections, seconds);
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    ...header,
    ...(script ? ['-s', script[0]!, url, '--', ...script.slice(1)] : [url]),
  ];
  const { stdout } = await run(...pinned(CLIENT, 'wrk', args));
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p99Ms: inMs(/99%\s+([\d.]+)(us|ms|s)/.exec(stdout)),
    failed: Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0),
  };
}

function inMs(match: RegExpExecArray | null): number {
  const factor = { us: 0.001, ms: 1, s: 1000 }[match?.[2] ?? 'ms'] ?? 1;
  return Number(match?.[1]) * factor;
}

async function withAutocannon(url: string, header: string[], connections: number, seconds: number) {
  const args = ['node_modules/.bin/autocannon', '-j', '-c', String(connections), '-d', String(seconds), ...header, url];
  const { stdout } = await run(...pinned(CLIENT, process.execPath, args), { maxBuffer: 10_000_000 });
  const { requests, latency, non2xx, errors, statusCodeStats = {} } = JSON.parse(stdout);
  const unchanged = statusCodeStats['304']?.count ?? 0;
  return { perSecond: requests.average, p99Ms: latency.p99, failed: non2xx - unchanged + errors };
}

/** wrk adds a second Host header to one that it does not recognise. */
function spelt(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
