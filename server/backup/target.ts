import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { ObjectStore } from '../adapters/storage/port';
import { selectStore } from '../adapters/storage/select-store';
import type { Env } from '../env/read';
import { BackupError } from './backup-error';

/** The part of a store that backups use. */
export type Target = Pick<ObjectStore, 'put' | 'head' | 'read' | 'remove' | 'list'>;

const noForms = () => '';
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** As `openTarget`, which would create the folder. @throws BackupError if there is no such folder */
export async function openSource(address: string, env: Env): Promise<Target> {
  const folder = path.resolve(address);
  const isFolder = async () => (await stat(folder).catch(() => null))?.isDirectory() ?? false;
  if (!ADDRESS.test(address) && !(await isFolder())) throw new BackupError(`There is no folder ${folder}.`);
  return openTarget(address, env);
}

/** @param address a folder, or `s3://bucket/prefix` with the settings `BACKUP_S3_…` */
export async function openTarget(address: string, env: Env): Promise<Target> {
  const s3 = /^s3:\/\/([^/]+)(?:\/(.*?))?\/*$/.exec(address);
  if (!s3) {
    if (ADDRESS.test(address)) throw new BackupError('Name a folder, or s3://bucket/prefix.');
    return selectStore({ driver: 'disk', dir: path.resolve(address) }, noForms);
  }
  const [, bucket = '', prefix = ''] = s3;
  const store = await selectStore({ driver: 's3', s3: { ...env.backupS3, bucket } }, noForms);
  return prefix === '' ? store : storeBelow(store, `${prefix}/`);
}

function storeBelow(store: ObjectStore, prefix: string): Target {
  return {
    put: (key, ...rest) => store.put(prefix + key, ...rest),
    head: (key) => store.head(prefix + key),
    read: (key, range) => store.read(prefix + key, range),
    remove: (key) => store.remove(prefix + key),
    async list(start, limit, after) {
      const found = await store.list(prefix + start, limit, after === undefined ? undefined : prefix + after);
      return found.map((object) => ({ ...object, key: object.key.slice(prefix.length) }));
    },
  };
}

const LISTED = 1000;

/** Every object that starts with `prefix`, in key order. */
export async function* listAll(store: Pick<ObjectStore, 'list'>, prefix: string) {
  for (let after: string | undefined; ; ) {
    const found = await store.list(prefix, LISTED, after);
    yield* found;
    if (found.length < LISTED) return;
    after = found.at(-1)!.key;
  }
}
