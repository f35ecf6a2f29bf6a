import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * The secret of this installation, created at the first start and kept in the data directory so that rate limits
 * survive a restart.
 */
export async function ensureSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secret');
  await fs.mkdir(dataDir, { recursive: true });
  const existing = await fs.readFile(file, 'utf8').catch(() => undefined);
  if (existing) return existing;
  const proposal = `${file}.${process.pid}`;
  await fs.writeFile(proposal, randomBytes(32).toString('base64url'), { mode: 0o600 });
  // if two processes start together, the first link wins and both read the same secret
  await fs.link(proposal, file).catch(() => {});
  await fs.rm(proposal);
  return fs.readFile(file, 'utf8');
}
