import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import type { ObjectStore } from '~/server/adapters/storage/port';

const BYTES = 256 * 1024;

/**
 * A store on a disk of 256 KB that reports enough room, as if other programs filled it in the meantime. Without the
 * right to mount a disk, writes of `put` fail like on a full disk, and `limit` makes a file on the disk fail.
 */
export async function smallDisk(formUrl: (key: string) => string) {
  const dir = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const isMounted = mount(dir);
  const store: ObjectStore = { ...(await diskStore({ root: dir, formUrl })), freeBytes: async () => null };
  afterAll(() => {
    if (isMounted) execFileSync('umount', ['--lazy', dir]);
    rmSync(dir, { recursive: true, force: true });
  });
  return {
    dir,
    store: isMounted ? store : { ...store, put: limitedPut(store) },
    /** Fails before the first byte is written. */
    limit(key: string) {
      if (isMounted) return;
      rmSync(join(dir, key));
      symlinkSync('/dev/full', join(dir, key));
    },
  };
}

function limitedPut(store: ObjectStore): ObjectStore['put'] {
  return async (key, body, options) => {
    const bytes = body instanceof Buffer ? body : Buffer.concat(await Readable.from(body).toArray());
    if (bytes.length > BYTES) throw Object.assign(new Error(`ENOSPC: no space left, ${key}`), { code: 'ENOSPC' });
    await store.put(key, bytes, options);
  };
}

function mount(dir: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${BYTES}`, 'tmpfs', dir], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
