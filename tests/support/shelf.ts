import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import type { ObjectStore } from '~/server/adapters/storage/port';

/** Every object is flushed, for which a busy disk takes its time: files that live in memory where there are such. */
const inMemory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** An object store of each test's own. */
export function onShelf() {
  const shelf = {
    root: '',
    store: null as unknown as ObjectStore,
    read: async (key: string) => Buffer.concat(await (await shelf.store.read(key)).toArray()),
    /** Every file there is, unfinished ones too. */
    files: async () =>
      (await readdir(shelf.root, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(shelf.root.length + 1)),
    /**
     * Sends the bytes and breaks the connection once the client has had time to store them, or two parts of them. An HTTP
     * client drops what it has received but not read when its connection breaks.
     */
    async breakOff(response: http.ServerResponse, bytes: Buffer) {
      response.write(bytes);
      const deadline = performance.now() + (bytes.length < 1000 ? 0 : 200);
      while (performance.now() < deadline && (await shelf.files()).length < 3) await sleep(10);
      await sleep(80);
      response.destroy();
    },
  };
  beforeEach(async () => {
    shelf.root = await mkdtemp(join(inMemory, 'shelf-'));
    shelf.store = await diskStore({ root: shelf.root, formUrl: (key) => key });
  });
  afterEach(() => rm(shelf.root, { recursive: true, force: true }));
  return shelf;
}
