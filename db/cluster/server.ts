import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ClusterLocation } from './location';
import { freePort, isFree } from './port';
import { changeOwner, type ServerUser } from './server-user';
import { clearStalePid } from './stale-pid';

const runProgram = promisify(execFile);

export type ConnectionSettings = { port: number; password: string };
export type Cluster = ClusterLocation & { data: string; connection: ConnectionSettings };

const SUPERUSER = 'altavoz';
const START_TRIES = 20;
/** The tests' cluster is in memory, where the usual gigabyte of write-ahead log would be too much. */
const SMALL_LOG = '-c max_wal_size=128MB';

/** The server and its tools inherit no environment variables, so they behave the same everywhere. */
const processOptions = (user: ServerUser) => ({
  ...user,
  cwd: '/',
  env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } as unknown as NodeJS.ProcessEnv,
});

export function urlOf(cluster: Cluster, database: string): string {
  return `postgres://${SUPERUSER}:${cluster.connection.password}@127.0.0.1:${cluster.connection.port}/${database}`;
}

/** Opens the cluster at a location, or creates it. @throws if `stopping` interrupts the creation */
export async function openCluster(location: ClusterLocation, stopping?: AbortSignal): Promise<Cluster> {
  if (location.marker) await removeOrphan(location, location.marker);
  const data = path.join(location.dir, 'data');
  const connection = await readSettings(location);
  if (connection && (await fs.stat(data).catch(() => undefined))) return { ...location, data, connection };
  return createCluster(location, data, stopping);
}

/** Deletes a fallback cluster whose marker is gone: the user deleted .data to start over. */
async function removeOrphan(location: ClusterLocation, marker: string): Promise<void> {
  const marked = await fs.readFile(marker, 'utf8').catch(() => undefined);
  if (marked) return;
  const data = path.join(location.dir, 'data');
  await runProgram(
    path.join(location.bin, 'pg_ctl'),
    ['-D', data, '-m', 'immediate', 'stop'],
    processOptions(location.user),
  ).catch(() => {});
  await fs.rm(data, { recursive: true, force: true });
  await fs.writeFile(marker, `${location.dir}\n`);
}

const settingsFile = (location: ClusterLocation) => path.join(location.dir, 'server.json');

async function readSettings(location: ClusterLocation): Promise<ConnectionSettings | undefined> {
  const text = await fs.readFile(settingsFile(location), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as ConnectionSettings);
}

async function writeSettings(location: ClusterLocation, connection: ConnectionSettings): Promise<void> {
  const partial = `${settingsFile(location)}.${process.pid}`;
  await fs.writeFile(partial, JSON.stringify(connection), { mode: 0o600 });
  await changeOwner(partial, location.user);
  await fs.rename(partial, settingsFile(location));
}

/**
 * initdb writes to a temporary directory that is renamed when complete, so a kill midway leaves no partial cluster.
 * `--no-sync` takes 0.5 s instead of 4; a power failure within it can only lose an empty cluster. The builtin C.UTF-8
 * provider lowercases É without a system locale. Repeated hashing would slow down guessing, which is hopeless with a
 * random password anyway, and would take more time than all other steps of opening a connection.
 */
async function createCluster(location: ClusterLocation, data: string, stopping?: AbortSignal): Promise<Cluster> {
  for (const name of await fs.readdir(location.dir))
    if (/^(data|password)\./.test(name)) await fs.rm(path.join(location.dir, name), { recursive: true, force: true });
  const connection = { port: await freePort(), password: randomBytes(18).toString('base64url') };
  const partial = `${data}.${randomBytes(4).toString('hex')}`;
  const passwordFile = path.join(location.dir, `password.${process.pid}`);
  await fs.writeFile(passwordFile, `${connection.password}\n`, { mode: 0o600 });
  await changeOwner(passwordFile, location.user);
  const options = `-U ${SUPERUSER} --auth=scram-sha-256 --encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8 -c scram_iterations=1`;
  await runProgram(
    path.join(location.bin, 'initdb'),
    ['-D', partial, ...options.split(' '), `--pwfile=${passwordFile}`, '--no-sync', '--no-instructions'],
    { ...processOptions(location.user), signal: stopping },
  );
  await fs.rm(passwordFile);
  await writeSettings(location, connection);
  await fs.rename(partial, data);
  return { ...location, data, connection };
}

/**
 * Starts the server and waits until it accepts connections; returns the cluster with its port. The saved port is reused
 * unless another program has taken it. Retries while the processes of a killed server exit.
 */
export async function startServer(cluster: Cluster, unsafeFast: boolean): Promise<Cluster> {
  for (let attempt = 1; ; attempt += 1) {
    await clearStalePid(cluster.data);
    const port = (await isFree(cluster.connection.port)) ? cluster.connection.port : await freePort();
    if (await launchServer(cluster, port, unsafeFast)) {
      const connection = { ...cluster.connection, port };
      if (port !== cluster.connection.port) await writeSettings(cluster, connection);
      return { ...cluster, connection };
    }
    if (attempt === START_TRIES) throw new Error(`Postgres did not start. Its log is ${logOf(cluster)}.`);
    await sleep(250);
  }
}

/** Some systems cut longer paths of sockets. */
const MAX_SOCKET_FOLDER = 80;

/**
 * The folder of the socket by which tests reach their server: over TCP, every message costs half as much again. Null if
 * there is no socket.
 */
export const socketFolder = ({ dir }: ClusterLocation) => (dir.length > MAX_SOCKET_FOLDER ? null : dir);

const logOf = (location: ClusterLocation) => path.join(location.dir, 'postgres.log');

/** The server inherits pg_ctl's standard streams: with a pipe, waiting for pg_ctl's output would never end. */
function launchServer(cluster: Cluster, port: number, unsafeFast: boolean): Promise<boolean> {
  const settings = [
    `-p ${port}`,
    '-c listen_addresses=127.0.0.1',
    `-c unix_socket_directories='${(unsafeFast && socketFolder(cluster)) || ''}'`,
    '-c log_checkpoints=off',
  ];
  if (unsafeFast)
    settings.push('-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=400', SMALL_LOG);
  const args = ['-D', cluster.data, '-w', '-t', '60', '-l', logOf(cluster), '-o', settings.join(' '), 'start'];
  return new Promise((resolve, reject) => {
    spawn(path.join(cluster.bin, 'pg_ctl'), args, { ...processOptions(cluster.user), stdio: 'ignore' })
      .once('error', reject)
      .once('exit', (code) => resolve(code === 0));
  });
}

/** Rolls back open transactions, closes connections and flushes everything. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const args = ['-D', cluster.data, '-m', 'fast', '-w', '-t', '60', 'stop'];
  await runProgram(path.join(cluster.bin, 'pg_ctl'), args, processOptions(cluster.user));
}
