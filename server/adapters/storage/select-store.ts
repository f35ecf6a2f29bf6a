import type { StorageSettings } from '../../env/storage';
import { diskStore } from './disk';
import type { ObjectStore } from './port';

/** The store that the environment asks for. The AWS SDK is loaded only where it is used: it costs memory and start-up time. */
export async function selectStore(settings: StorageSettings, formUrl: (key: string) => string): Promise<ObjectStore> {
  if (settings.driver === 'disk') return diskStore({ root: settings.dir, formUrl });
  const { s3Store } = await import('./s3');
  return s3Store(settings.s3);
}
