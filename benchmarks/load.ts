import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cpuSeconds, cpuSecondsOfTree, HAS_WRK, pinToCore } from './machine';
import { median } from './table';

export type Target = {
  url: string;
  /** The server process. */
  pid: number;
  /** The first process of Postgres, if its CPU time belongs to the request. */
  postgres?: number;
  headers?: Record<string, string>;
  connections?: number;
  /** A Lua script that makes each request, and its arguments (wrk only). */
  script?: string[];
};
type Round = {
  perSecond: number;
  p99Ms: number;
  failed: number;
  /** CPU time per request, of all threads of the server, and of Postgres if the target names it. */
  cpuMs: number;
};
export type Load = Round & { rounds: Round[] };

const runProgram = promisify(execFile);
const CLIENT = 0;
const ROUNDS = 5;
/** A shorter warm-up measures the compiler: a rendered page gets faster for several thousand requests. */
const WARM_UP_SECONDS = 5;

/**
 * Loads each target in turn, in several rounds, so that other load on the machine affects all of them equally.
 * @returns the best round of each target in the given order, because other load can only lower a figure
 */
export async function compareLoads<const T extends readonly Target[]>(
  targets: T,
  { seconds = 2, rounds: count = ROUNDS } = {},
): Promise<{ [K in keyof T]: Load }> {
  const rounds: Round[][] = targets.map(() => []);
  for (const target of targets) await measureLoad(target, WARM_UP_SECONDS);
  for (let round = 0; round < count; round++) {
    // alternate the order: on a machine that slows down, the first target would have an advantage
    const turns = [...targets.entries()];
    if (round % 2) turns.reverse();
    for (const [i, target] of turns) rounds[i]!.push(await measureLoad(target, seconds));
  }
  return rounds.map(summarize) as { [K in keyof T]: Load };
}

/** The best round, the median CPU time, and the failures of all rounds. */
function summarize(rounds: Round[]): Load {
  const [first] = [...rounds].sort((a, b) => b.perSecond - a.perSecond);
  const failed = rounds.reduce((sum, one) => sum + one.failed, 0);
  return { ...first!, failed, cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)), rounds };
}

/** The median ratio of adjacent rounds. */
export function medianRatio(ours: Load, other: Load): number {
  return median(ours.rounds.map(({ perSecond }, i) => perSecond / other.rounds[i]!.perSecond));
}

/** The median ratio of the CPU times of adjacent rounds. */
export function medianCpuRatio(ours: Load, other: Load): number {
  return median(ours.rounds.map(({ cpuMs }, i) => cpuMs / other.rounds[i]!.cpuMs));
}

const cpuOf = ({ pid, postgres }: Target) => cpuSeconds(pid) + (postgres ? cpuSecondsOfTree(postgres) : 0);

export async function measureLoad(target: Target, seconds: number): Promise<Round> {
  const [cpuBefore, startedAt] = [cpuOf(target), performance.now()];
  const result = await runClient(target, seconds);
  const cpu = cpuOf(target) - cpuBefore;
  const elapsed = (performance.now() - startedAt) / 1000;
  return { ...result, cpuMs: (cpu * 1000) / (result.perSecond * Math.min(elapsed, seconds)) };
}

async function runClient(target: Target, seconds: number): Promise<Omit<Round, 'cpuMs'>> {
  const { url, headers = {}, connections = 32, script } = target;
  const header = Object.entries(headers).flatMap(([name, value]) => ['-H', `${capitalizeHeader(name)}: ${value}`]);
  if (!HAS_WRK) return runAutocannon(url, header, connections, seconds);
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    ...header,
    ...(script ? ['-s', script[0]!, url, '--', ...script.slice(1)] : [url]),
  ];
  const { stdout } = await runProgram(...pinToCore(CLIENT, 'wrk', args));
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p99Ms: toMilliseconds(/99%\s+([\d.]+)(us|ms|s)/.exec(stdout)),
    failed: Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0),
  };
}

function toMilliseconds(match: RegExpExecArray | null): number {
  const factor = { us: 0.001, ms: 1, s: 1000 }[match?.[2] ?? 'ms'] ?? 1;
  return Number(match?.[1]) * factor;
}

async function runAutocannon(url: string, header: string[], connections: number, seconds: number) {
  const args = ['node_modules/.bin/autocannon', '-j', '-c', String(connections), '-d', String(seconds), ...header, url];
  const { stdout } = await runProgram(...pinToCore(CLIENT, process.execPath, args), { maxBuffer: 10_000_000 });
  const { requests, latency, non2xx, errors, statusCodeStats = {} } = JSON.parse(stdout);
  const unchanged = statusCodeStats['304']?.count ?? 0;
  return { perSecond: requests.average, p99Ms: latency.p99, failed: non2xx - unchanged + errors };
}

/** wrk recognises `Host` only with a capital letter, and would add a second one. */
function capitalizeHeader(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
