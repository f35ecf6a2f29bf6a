import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

const isInstalled = (command: string) => spawnSync('which', [command]).status === 0;

/** Pins server and client to separate cores, if there are two cores and taskset. */
const CAN_PIN = os.availableParallelism() > 1 && isInstalled('taskset');
export const HAS_WRK = isInstalled('wrk');
export const HAS_NGINX = isInstalled('nginx');

/** A command line pinned to a core: 0 for the client, 1 for the server. */
export function pinToCore(core: 0 | 1, command: string, args: string[]): [string, string[]] {
  return CAN_PIN ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];
}

export function describeMachine(): string {
  const cores = os.cpus();
  const memory = Math.round(os.totalmem() / 1e9);
  const client = HAS_WRK ? 'wrk' : 'autocannon';
  const where = CAN_PIN ? 'one core each' : 'not pinned to cores';
  return `${cores.length} × ${cores[0]?.model.trim()}, ${memory} GB, Node ${process.version}, ${os.type()}; client ${client}, ${where}`;
}

/** A higher load comes from other work: figures of such a run prove nothing about a goal. */
const QUIET_LOAD = 0.5;

export const isQuiet = () => (os.loadavg()[0] ?? 0) < QUIET_LOAD;

/** User and system CPU time of a process and its threads; one tick is 0.01 s. */
export function cpuSeconds(pid: number): number {
  const { user, system } = statOf(pid);
  return (user + system) / 100;
}

/** CPU time of a process, of its children, and of its children that have ended. */
export function cpuSecondsOfTree(pid: number): number {
  const { endedUser, endedSystem } = statOf(pid);
  const children = childrenOf(pid).reduce((sum, child) => sum + cpuOfChild(child), 0);
  return cpuSeconds(pid) + (endedUser + endedSystem) / 100 + children;
}

/** A child may end meanwhile. */
function cpuOfChild(pid: number): number {
  try {
    return cpuSeconds(pid);
  } catch {
    return 0;
  }
}

function statOf(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
  const [parent, user, system, endedUser, endedSystem] = [fields[1]!, ...fields.slice(11)] as Stat;
  return { parent, user, system, endedUser, endedSystem };
}

type Stat = [parent: number, user: number, system: number, endedUser: number, endedSystem: number];

export const parentOf = (pid: number): number => statOf(pid).parent;

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** The first child of a process. */
export const childOf = (pid: number): number => childrenOf(pid)[0]!;

/** @param figure `VmRSS`: now; `VmHWM`: the peak. `pid` is Node's, because taskset replaces itself with the command. */
export function residentBytes(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}
