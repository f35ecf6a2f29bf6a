import { latestCreatorBackup, requestCreatorBackup } from '../domain/creator-backup/request-backup';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';

const OWNER = 'lucia@altavoz.example';

/** Lucía requests a backup of everything. A job writes it after all others. */
export async function seedCreatorBackup(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const person = cast.find(({ email }) => email === OWNER);
  if (!person) return;
  const owner = await actAs(runtime, person);
  if (!(await latestCreatorBackup(owner))) await requestCreatorBackup(owner);
}
