import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type http from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';
import { diskStore } from '~/server/adapters/storage/disk';
import type { ObjectStore } from '~/server/adapters/storage/port';
import { SCRATCH } from './scratch';

/** A separate object store for each test. */
export function setUpStorage() {
  const storage = {
    root: '',
    store: null as unknown as ObjectStore,
    read: async (key: string) => Buffer.concat(await (await storage.store.read(key)).toArray()),
    /** Every file, including unfinished ones. */
    files: async () =>
      (await readdir(storage.root, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(storage.root.length + 1)),
    /**
     * Sends the bytes, and breaks the connection after the client has stored all that it can: when the files no longer
     * change. When its connection breaks, an HTTP client drops data that it has received but not read.
     */
    async sendAndDisconnect(response: http.ServerResponse, bytes: Buffer) {
      response.write(bytes);
      let [before, unchanged] = ['', 0];
      while (unchanged < 10) {
        await sleep(10);
        const files = (await storage.files()).join();
        unchanged = files === before ? unchanged + 1 : 0;
        before = files;
      }
      response.destroy();
    },
  };
  beforeEach(async () => {
    storage.root = await mkdtemp(join(SCRATCH, 'storage-'));
    storage.store = await diskStore({ root: storage.root, formUrl: (key) => key });
  });
  afterEach(() => rm(storage.root, { recursive: true, force: true }));
  return storage;
}
