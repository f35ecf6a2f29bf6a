import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

/** The secret of this installation, made at the first start and kept in the data directory: what it signed stays valid. */
export async function keptSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secret');
  await fs.mkdir(dataDir, { recursive: true });
  const found = await fs.readFile(file, 'utf8').catch(() => undefined);
  if (found) return found;
  const proposal = `${file}.${process.pid}`;
  await fs.writeFile(proposal, randomBytes(32).toString('base64url'), { mode: 0o600 });
  // of two processes that boot together the first to link wins, and both read the same
  await fs.link(proposal, file).catch(() => {});
  await fs.rm(proposal);
  return fs.readFile(file, 'utf8');
}
