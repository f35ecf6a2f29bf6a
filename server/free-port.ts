import { isTaken } from '~/db/cluster/port';
import { SettingError } from './env/setting-error';

type Place = { port: number; host?: string };

export const portTaken = ({ port }: Pick<Place, 'port'>) =>
  new SettingError(`PORT ${port} is used by another program. Set PORT to another number`);

/** Checks the port before the database is started, which takes seconds. @throws SettingError */
export async function assertPortFree({ port, host }: Place): Promise<void> {
  if (await isTaken(port, host)) throw portTaken({ port });
}
