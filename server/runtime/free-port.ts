import { listeningFault } from '~/db/cluster/port';
import { SettingError } from '../env/setting-error';

type Place = { port: number; host?: string };

/** The error for an operator, with the setting to change; other errors are returned unchanged. */
export function describeListening(error: NodeJS.ErrnoException, { port, host }: Place, setting = 'PORT'): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new SettingError(`${setting} ${port} is used by another program. Set ${setting} to another number`);
    case 'EACCES':
      return new SettingError(`${setting} ${port} needs the rights of root. Set ${setting} to 1024 or higher`);
    case 'EADDRNOTAVAIL':
      return new SettingError(`HOST ${host} is not an address of this machine. Set HOST to one, or remove it`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SettingError(`HOST ${host} is unknown. Set HOST to an address of this machine, or remove it`);
    default:
      return error;
  }
}

/** Checks port and host before the database starts, which takes seconds. @throws SettingError */
export async function assertPortFree(place: Place): Promise<void> {
  const fault = await listeningFault(place.port, place.host);
  if (fault) throw describeListening(fault, place);
}
