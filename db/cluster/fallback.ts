import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import { promisify } from 'node:util';
import type { ServerUser } from './server-user';

const runProgram = promisify(execFile);

/**
 * Folders for the cluster if root starts it and the server's user can't access the checkout. /var/tmp is last, because
 * systems clean it.
 */
export const FALLBACK_ROOTS = ['/var/lib/altavoz', '/var/tmp/altavoz'];

type Unprivileged = NonNullable<ServerUser>;

/** Asks the kernel as that user: file modes alone ignore ACLs, mounts and parent directories. */
export async function canAccess(user: Unprivileged, permission: 'execute' | 'write', target: string): Promise<boolean> {
  const test = `test ${permission === 'write' ? '-w' : '-x'} "$0"`;
  return runProgram('/bin/sh', ['-c', test, target], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

/** The first directory that only root owns and the user may enter; a directory of another user is never used. */
export async function openFallbackRoot(user: Unprivileged, fallbackRoots: string[]): Promise<string> {
  for (const root of fallbackRoots) {
    const stats = await fs.mkdir(root, { recursive: true }).then(
      () => fs.lstat(root),
      () => undefined,
    );
    if (!stats?.isDirectory() || stats.uid !== 0) continue;
    await fs.chmod(root, 0o755);
    if (await canAccess(user, 'execute', root)) return root;
  }
  throw new Error(
    `user id ${user.uid} can't access ${fallbackRoots.join(' or ')}. Give it access to the checkout, or set DATABASE_URL.`,
  );
}
