import fs from 'node:fs/promises';
import path from 'node:path';
import { describeFault, inspectServer, type ServerFacts } from '~/db/inspect';
import type { Env } from '../env/read';
import { SettingError } from '../env/setting-error';

/** Tests run on 17; on 15, we set up and started an installation by hand. */
export const OLDEST_POSTGRES = 15;

/** Problems of a reachable server, one line each. */
export function serverProblems({ major, version, encoding, maySetUp, isReadOnly }: ServerFacts): string[] {
  return [
    ...(major < OLDEST_POSTGRES ? [`Postgres ${version} is too old: ${OLDEST_POSTGRES} or later is needed`] : []),
    ...(encoding === 'UTF8' ? [] : [`the database has the encoding ${encoding}: create it with UTF8`]),
    ...(isReadOnly ? ['the database is read-only: is it a replica, or is default_transaction_read_only set?'] : []),
    ...(maySetUp ? [] : ['the user may not create schemas: make it the owner (alter database … owner to …)']),
  ];
}

/** One would get the migrations, and the other one the rows. */
const OTHER_DATABASE = 'DATABASE_DIRECT_URL is another database than DATABASE_URL: both must name the same one';

/** Runs before any migration. @throws SettingError with the reason why the database can't be used */
export async function assertDatabase({ url, directUrl }: Env['database']): Promise<void> {
  if (!url || !directUrl) return;
  const { identity } = await assertServer('DATABASE_URL', url);
  if (directUrl === url) return;
  const direct = await assertServer('DATABASE_DIRECT_URL', directUrl);
  if (direct.identity !== identity) throw new SettingError(OTHER_DATABASE);
}

async function assertServer(name: string, address: string): Promise<ServerFacts> {
  const facts = await inspectServer(address).catch((error) => {
    const fault = describeFault(error, address);
    throw fault ? new SettingError(`${name}: ${fault}`) : error;
  });
  const [problem] = serverProblems(facts);
  if (problem) throw new SettingError(`${name}: ${problem}`);
  return facts;
}

/** @throws SettingError unless this user may write to the folder */
export async function assertDataDir(dir: string): Promise<void> {
  const probe = path.join(dir, `.probe-${process.pid}`);
  try {
    await fs.mkdir(dir, { recursive: true });
    await fs.writeFile(probe, '');
    await fs.rm(probe);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingError(`DATA_DIR ${dir} can't be written by the user ${process.getuid?.() ?? ''} (${code})`);
  }
}
