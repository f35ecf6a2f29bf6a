import fs from 'node:fs/promises';

/** The user that the server runs as; undefined for the current user. */
export type ServerUser = { uid: number; gid: number } | undefined;

/** Accounts that exist on every Linux. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/**
 * Postgres refuses to run as root, so root runs it as the owner of the data, otherwise as `postgres`, otherwise as
 * `nobody`. Other users run it as themselves.
 * @throws if the data belongs to a user that we can't switch to
 */
export async function chooseServerUser(dataDir: string): Promise<ServerUser> {
  const owner = await fs.stat(dataDir).catch(() => undefined);
  const me = process.getuid?.();
  if (me !== 0) {
    if (owner && me !== undefined && owner.uid !== me)
      throw new Error(`${dataDir} belongs to user id ${owner.uid}. Start as that user or as root, or set DATA_DIR.`);
    return undefined;
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return unprivilegedAccount();
}

/** initdb requires a uid that is in /etc/passwd. */
async function unprivilegedAccount(): Promise<ServerUser> {
  const passwd = await fs.readFile('/etc/passwd', 'utf8');
  for (const name of UNPRIVILEGED) {
    const entry = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwd);
    if (entry && entry[1] !== '0') return { uid: Number(entry[1]), gid: Number(entry[2]) };
  }
  throw new Error(
    `Postgres needs an unprivileged account (${UNPRIVILEGED.join(' or ')}). Add one, or set DATABASE_URL.`,
  );
}

/** Makes the server's user the owner of a file or directory. */
export async function changeOwner(file: string, user: ServerUser): Promise<void> {
  if (user) await fs.chown(file, user.uid, user.gid);
}
