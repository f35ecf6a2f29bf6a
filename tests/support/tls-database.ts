import { readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import tls from 'node:tls';

/** `ca.pem` has signed `server.pem`, for db.example and 127.0.0.1; `other-ca.pem` has signed nothing. Valid for a century. */
export const certificate = (name: 'ca' | 'other-ca' | 'server' | 'server-key') =>
  path.resolve('tests/support/tls', `${name}.pem`);

const SSL_REQUEST = 80877103;

/** Postgres as a server that insists on TLS: it passes the decrypted bytes on to the real one. @returns its port */
export async function tlsDatabase(realUrl: string): Promise<{ port: number; close(): Promise<void> }> {
  const { hostname, port } = new URL(realUrl);
  const context = tls.createSecureContext({
    cert: readFileSync(certificate('server')),
    key: readFileSync(certificate('server-key')),
  });
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.once('data', (first) => {
      if (first.length !== 8 || first.readInt32BE(4) !== SSL_REQUEST) return void socket.destroy();
      socket.write('S');
      const secure = new tls.TLSSocket(socket, { isServer: true, secureContext: context });
      const real = net.connect(Number(port), hostname);
      const end = () => {
        secure.destroy();
        real.destroy();
      };
      secure.on('error', end).on('close', end).pipe(real).on('error', end).on('close', end).pipe(secure);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of open) socket.destroy();
      server.close(() => resolve());
    });
  return { port: (server.address() as AddressInfo).port, close };
}
