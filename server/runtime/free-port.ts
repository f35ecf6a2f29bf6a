import { isTaken } from '~/db/cluster/port';
import { SettingError } from '../env/setting-error';

type Place = { port: number; host?: string };

export const portTaken = ({ port }: Pick<Place, 'port'>, setting = 'PORT') =>
  new SettingError(`${setting} ${port} is used by another program. Set ${setting} to another number`);

/** Checks the port before the database starts, which takes seconds. @throws SettingError */
export async function assertPortFree({ port, host }: Place): Promise<void> {
  if (await isTaken(port, host)) throw portTaken({ port });
}
