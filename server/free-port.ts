import { once } from 'node:events';
import net from 'node:net';
import { SettingError } from './env/setting-error';

type Place = { port: number; host?: string };

export const portTaken = ({ port }: Pick<Place, 'port'>) =>
  new SettingError(`PORT ${port} is used by another program. Set PORT to another number`);

/** Checks the port before the database is started, which takes seconds. @throws SettingError */
export async function assertPortFree({ port, host }: Place): Promise<void> {
  const server = net.createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    // other errors are reported when the web server listens
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw portTaken({ port });
  }
  await new Promise((resolve) => server.close(resolve));
}
