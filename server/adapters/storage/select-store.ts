import type { StorageSettings } from '../../env/storage';
import type { Log } from '../../watching/log';
import { diskStore } from './disk';
import type { ObjectStore } from './port';

/** Creates the configured store. The AWS SDK is loaded only if needed: it costs memory and startup time. */
export async function selectStore(
  settings: StorageSettings,
  formUrl: (key: string) => string,
  log?: Log,
): Promise<ObjectStore> {
  if (settings.driver === 'disk') return diskStore({ root: settings.dir, formUrl });
  const { s3Store } = await import('./s3');
  return s3Store(settings.s3, { log });
}
