import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

const found = (command: string) => spawnSync('which', [command]).status === 0;

/** Server and client on cores of their own; where there is only one, or no taskset, they share. */
const CAN_PIN = os.availableParallelism() > 1 && found('taskset');
export const HAS_WRK = found('wrk');
export const HAS_NGINX = found('nginx');

/** A command line bound to a core: 0 is the client's, 1 the server's. */
export function pinned(core: 0 | 1, command: string, args: string[]): [string, string[]] {
  return CAN_PIN ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];
}

export function machine(): string {
  const cores = os.cpus();
  const memory = Math.round(os.totalmem() / 1e9);
  const client = HAS_WRK ? 'wrk' : 'autocannon';
  const where = CAN_PIN ? 'one core each' : 'not pinned to cores';
  return `${cores.length} × ${cores[0]?.model.trim()}, ${memory} GB, Node ${process.version}, ${os.type()}; client ${client}, ${where}`;
}

/** Processor time that a process and its threads have taken so far, in user and kernel; a tick is a hundredth. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The one child of a process that does its work. */
export function workerOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}
