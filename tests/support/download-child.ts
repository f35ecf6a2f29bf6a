// A process that downloads into a store on disk and kills itself with SIGKILL at a given moment.
import { diskStore } from '~/server/adapters/storage/disk';
import type { ObjectStore } from '~/server/adapters/storage/port';
import { testFetcher } from './test-fetcher';

const [root = '', url = '', key = '', moment = ''] = process.argv.slice(2);
const store = await diskStore({ root, formUrl: (name) => name });
let calls = 0;

const die = () => process.kill(process.pid, 'SIGKILL');
const dying: Record<string, Partial<ObjectStore>> = {
  'between two parts': {
    put: async (name, ...rest) => {
      if (++calls === 4) die();
      await store.put(name, ...rest);
    },
  },
  'before the parts are joined': {
    put: async (name, ...rest) => {
      if (name === key) die();
      await store.put(name, ...rest);
    },
  },
  'after the parts were joined': {
    put: async (name, ...rest) => {
      await store.put(name, ...rest);
      if (name === key) die();
    },
  },
  'while the parts are removed': {
    remove: async (name) => {
      if (++calls === 3) die();
      await store.remove(name);
    },
  },
};

const fetcher = testFetcher({ limits: { partBytes: 64_000, overlapBytes: 16_000 } });
const found = await fetcher.download({ ...store, ...dying[moment] }, { url, key, maxBytes: 1_000_000 });
await fetcher.close();
console.log(JSON.stringify(found));
