import { chmod, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A key, or what OAuth has given. `expiresAt`: in milliseconds since 1970. */
export type Login =
  | { kind: 'key'; url: string; key: string }
  | { kind: 'app'; url: string; clientId: string; accessToken: string; refreshToken: string; expiresAt: number };

const fileOf = (folder: string) => path.join(folder, 'login.json');

export async function readLogin(folder: string): Promise<Login | null> {
  const text = await readFile(fileOf(folder), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return JSON.parse(text) as Login;
  } catch {
    return null;
  }
}

/** Only the person may read the file. A crash leaves the former one. */
export async function storeLogin(folder: string, login: Login): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fresh = `${fileOf(folder)}.${process.pid}`;
  await writeFile(fresh, JSON.stringify(login), { mode: 0o600 });
  await chmod(fresh, 0o600);
  await rename(fresh, fileOf(folder));
}

export const forgetLogin = (folder: string): Promise<void> => rm(fileOf(folder), { force: true });

const PATIENCE_MS = 10_000;

/** Of several commands at the same time, one exchanges the refresh token: used twice, it would end the login. */
export async function alone<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = `${fileOf(folder)}.lock`;
  for (const until = Date.now() + PATIENCE_MS; ; await wait(50)) {
    const handle = await open(lock, 'wx').catch(() => null);
    await handle?.close();
    // the lock of a command that was killed is taken over
    if (handle || Date.now() > until) break;
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}
