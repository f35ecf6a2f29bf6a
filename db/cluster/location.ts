import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { findBinaries } from './binaries';
import { canAccess, FALLBACK_ROOTS, openFallbackRoot } from './fallback';
import { changeOwner, chooseServerUser, type ServerUser } from './server-user';

export type ClusterLocation = {
  /** Holds the cluster (`data`), its port and password (`server.json`) and its log. */
  dir: string;
  /** The folder of initdb, pg_ctl and postgres. */
  bin: string;
  user: ServerUser;
  /** Set when `dir` is a fallback: the file in the preferred directory that names it. */
  marker?: string;
};

/**
 * Finds a directory and binaries that the server's user can access: normally the preferred directory and node_modules.
 * If both are below a directory that only root may enter, the cluster is kept in a fallback directory, beside a copy of
 * the binaries; a marker file in the preferred directory names it.
 */
export async function locateCluster(preferred: string, fallbackRoots = FALLBACK_ROOTS): Promise<ClusterLocation> {
  await fs.mkdir(preferred, { recursive: true, mode: 0o755 });
  const marker = path.join(preferred, 'elsewhere');
  const current = await readMarker(marker);
  const user = await chooseServerUser(path.join(current ?? preferred, 'data'));
  const bin = await findBinaries(user, fallbackRoots);
  if (!user) return { dir: preferred, bin, user };
  await changeOwner(preferred, user);
  if (!current && (await canAccess(user, 'write', preferred))) return { dir: preferred, bin, user };
  return { dir: current ?? (await createFallbackDir(preferred, user, fallbackRoots)), bin, user, marker };
}

/** The marker decides, not the checkout's path, so a moved checkout keeps its data. */
async function readMarker(marker: string): Promise<string | undefined> {
  const dir = (await fs.readFile(marker, 'utf8').catch(() => '')).trim();
  return dir && (await fs.stat(dir).catch(() => undefined)) ? dir : undefined;
}

async function createFallbackDir(
  preferred: string,
  user: NonNullable<ServerUser>,
  fallbackRoots: string[],
): Promise<string> {
  if (await fs.stat(path.join(preferred, 'data')).catch(() => undefined))
    throw new Error(
      `user id ${user.uid} can no longer access ${preferred}. Allow it to enter the directories above, or set DATABASE_URL.`,
    );
  const name = createHash('sha256').update(preferred).digest('hex').slice(0, 16);
  const dir = path.join(await openFallbackRoot(user, fallbackRoots), name);
  await fs.mkdir(dir, { recursive: true });
  await changeOwner(dir, user);
  return dir;
}
