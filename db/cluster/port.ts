import net from 'node:net';

type Attempt = { port: number } | { error: NodeJS.ErrnoException };

function tryListen(port: number, host?: string): Promise<Attempt> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', (error) => resolve({ error }));
    probe.listen(port, host, () => {
      const bound = (probe.address() as net.AddressInfo).port;
      probe.close(() => resolve({ port: bound }));
    });
  });
}

export async function isFree(port: number): Promise<boolean> {
  return 'port' in (await tryListen(port, '127.0.0.1'));
}

/** Why a program can't listen there; null if it can. @param host defaults to all addresses of this machine */
export async function listeningFault(port: number, host?: string): Promise<NodeJS.ErrnoException | null> {
  const attempt = await tryListen(port, host);
  return 'error' in attempt ? attempt.error : null;
}

/** A free port on 127.0.0.1, chosen by the system. */
export async function freePort(): Promise<number> {
  const attempt = await tryListen(0, '127.0.0.1');
  if (!('port' in attempt)) throw new Error('no free port on 127.0.0.1');
  return attempt.port;
}
