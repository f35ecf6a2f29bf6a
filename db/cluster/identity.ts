import fs from 'node:fs/promises';

/** The user the server's processes run as; undefined: the one we are. */
export type Identity = { uid: number; gid: number } | undefined;

/** Accounts that a bare Linux has; nothing has to be created. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/**
 * Postgres refuses to run as root, so root hands it to an unprivileged account: the one that owns the data already, else
 * `postgres`, else `nobody`. Anyone else runs it as themselves.
 * Throws when the data belongs to somebody we can't become.
 */
export async function identityFor(dataDir: string): Promise<Identity> {
  const owner = await fs.stat(dataDir).catch(() => undefined);
  const me = process.getuid?.();
  if (me !== 0) {
    if (owner && me !== undefined && owner.uid !== me)
      throw new Error(`${dataDir} belongs to user id ${owner.uid}: start as that user or as root, or set DATA_DIR`);
    return undefined;
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return unprivilegedAccount();
}

/** initdb insists on a uid that /etc/passwd knows. */
async function unprivilegedAccount(): Promise<Identity> {
  const passwd = await fs.readFile('/etc/passwd', 'utf8');
  for (const name of UNPRIVILEGED) {
    const entry = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(passwd);
    if (entry && entry[1] !== '0') return { uid: Number(entry[1]), gid: Number(entry[2]) };
  }
  throw new Error(`no account to run Postgres under (${UNPRIVILEGED.join(' or ')}): add one, or set DATABASE_URL`);
}

/** Gives a file or directory to the server's user. */
export async function give(file: string, identity: Identity): Promise<void> {
  if (identity) await fs.chown(file, identity.uid, identity.gid);
}
