import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Identity } from './identity';

const run = promisify(execFile);

/** Where root may keep what the server's user can't reach in the checkout. /var/tmp last: systems clean it. */
export const REFUGES = ['/var/lib/altavoz', '/var/tmp/altavoz'];

type Dropped = NonNullable<Identity>;

/** Asks the kernel, as that user: modes alone don't tell (ACLs, mounts, every directory above). */
export async function may(identity: Dropped, permission: 'execute' | 'write', target: string): Promise<boolean> {
  const test = `test ${permission === 'write' ? '-w' : '-x'} "$0"`;
  return run('/bin/sh', ['-c', test, target], { ...identity, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

/** The first refuge that is root's alone to write and that the user may enter; a stranger's directory is never used. */
export async function openRefuge(identity: Dropped, refuges: string[]): Promise<string> {
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
