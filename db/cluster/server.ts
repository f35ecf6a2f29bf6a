import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { give, type Identity } from './identity';
import type { Place } from './place';
import { freePort, isFree } from './port';
import { clearStalePid } from './stale-pid';

const run = promisify(execFile);

export type Access = { port: number; password: string };
export type Cluster = Place & { data: string; access: Access };

const SUPERUSER = 'altavoz';
const START_TRIES = 20;

/** The server and its tools get nothing of our environment, so they behave the same wherever they are started. */
const surroundings = (identity: Identity) => ({
  ...identity,
  cwd: '/',
  env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } as unknown as NodeJS.ProcessEnv,
});

export function urlOf(cluster: Cluster, database: string): string {
  return `postgres://${SUPERUSER}:${cluster.access.password}@127.0.0.1:${cluster.access.port}/${database}`;
}

/** Opens the cluster of a place, and makes it when there is none yet. */
export async function openCluster(place: Place): Promise<Cluster> {
  if (place.marker) await forgetOrphan(place, place.marker);
  const data = path.join(place.dir, 'data');
  const access = await readAccess(place);
  if (access && (await fs.stat(data).catch(() => undefined))) return { ...place, data, access };
  return makeCluster(place, data);
}

/** A refuge without its marker is what a deleted .data left behind: whoever deletes .data wants to begin anew. */
async function forgetOrphan(place: Place, marker: string): Promise<void> {
  const known = await fs.readFile(marker, 'utf8').catch(() => undefined);
  if (known) return;
  const data = path.join(place.dir, 'data');
  await run(
    path.join(place.bin, 'pg_ctl'),
    ['-D', data, '-m', 'immediate', 'stop'],
    surroundings(place.identity),
  ).catch(() => {});
  await fs.rm(data, { recursive: true, force: true });
  await fs.writeFile(marker, `${place.dir}\n`);
}

const accessFile = (place: Place) => path.join(place.dir, 'server.json');

async function readAccess(place: Place): Promise<Access | undefined> {
  const text = await fs.readFile(accessFile(place), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Access);
}

async function writeAccess(place: Place, access: Access): Promise<void> {
  const half = `${accessFile(place)}.${process.pid}`;
  await fs.writeFile(half, JSON.stringify(access), { mode: 0o600 });
  await give(half, place.identity);
  await fs.rename(half, accessFile(place));
}

/**
 * initdb works in a directory of its own that is renamed when it is whole, so a kill in the middle leaves nothing that
 * looks like a cluster. `--no-sync`: 0.5 s rather than 4; what is lost with the power in that second is an empty cluster.
 * The builtin C.UTF-8 provider folds the case of É without any locale of the system.
 */
async function makeCluster(place: Place, data: string): Promise<Cluster> {
  for (const name of await fs.readdir(place.dir))
    if (/^(data|password)\./.test(name)) await fs.rm(path.join(place.dir, name), { recursive: true, force: true });
  const access = { port: await freePort(), password: randomBytes(18).toString('base64url') };
  const half = `${data}.${randomBytes(4).toString('hex')}`;
  const passwordFile = path.join(place.dir, `password.${process.pid}`);
  await fs.writeFile(passwordFile, `${access.password}\n`, { mode: 0o600 });
  await give(passwordFile, place.identity);
  const options = `-U ${SUPERUSER} --auth=scram-sha-256 --encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8`;
  await run(
    path.join(place.bin, 'initdb'),
    ['-D', half, ...options.split(' '), `--pwfile=${passwordFile}`, '--no-sync', '--no-instructions'],
    surroundings(place.identity),
  );
  await fs.rm(passwordFile);
  await writeAccess(place, access);
  await fs.rename(half, data);
  return { ...place, data, access };
}

/**
 * Starts the server and waits until it answers; returns the cluster with the port it has now. The remembered port is
 * kept unless another program took it meanwhile. Tried again while what a killed server left behind goes away.
 */
export async function startServer(cluster: Cluster, unsafeFast: boolean): Promise<Cluster> {
  for (let attempt = 1; ; attempt += 1) {
    await clearStalePid(cluster.data);
    const port = (await isFree(cluster.access.port)) ? cluster.access.port : await freePort();
    if (await launch(cluster, port, unsafeFast)) {
      const access = { ...cluster.access, port };
      if (port !== cluster.access.port) await writeAccess(cluster, access);
      return { ...cluster, access };
    }
    if (attempt === START_TRIES) throw new Error(`Postgres does not start; see ${logOf(cluster)}`);
    await sleep(250);
  }
}

const logOf = (place: Place) => path.join(place.dir, 'postgres.log');

/** pg_ctl's server inherits its standard streams: with a pipe among them the call would never end. */
function launch(cluster: Cluster, port: number, unsafeFast: boolean): Promise<boolean> {
  const settings = [
    `-p ${port}`,
    '-c listen_addresses=127.0.0.1',
    "-c unix_socket_directories=''",
    '-c log_checkpoints=off',
  ];
  if (unsafeFast)
    settings.push('-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200');
  const args = ['-D', cluster.data, '-w', '-t', '60', '-l', logOf(cluster), '-o', settings.join(' '), 'start'];
  return new Promise((resolve, reject) => {
    spawn(path.join(cluster.bin, 'pg_ctl'), args, { ...surroundings(cluster.identity), stdio: 'ignore' })
      .once('error', reject)
      .once('exit', (code) => resolve(code === 0));
  });
}

/** Open transactions are rolled back, connections closed, everything flushed. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const args = ['-D', cluster.data, '-m', 'fast', '-w', '-t', '60', 'stop'];
  await run(path.join(cluster.bin, 'pg_ctl'), args, surroundings(cluster.identity));
}
