import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import tls from 'node:tls';

export type Certificates = { ca: string; otherCa: string; server: string; serverKey: string };

/** Creates files in a folder: `ca` has signed `server`, for db.example and 127.0.0.1; `otherCa` has signed nothing. */
export function makeCertificates(openssl: string, folder: string): Certificates {
  const file = (name: string) => path.join(folder, name);
  const run = (...args: string[]) => execFileSync(openssl, args, { stdio: 'ignore' });
  const newKey = (name: string) => ['-newkey', 'ec', '-pkeyopt', CURVE, '-nodes', '-keyout', file(`${name}-key.pem`)];
  for (const name of ['ca', 'other-ca'])
    run('req', '-x509', ...newKey(name), '-out', file(`${name}.pem`), '-subj', `/CN=${name}`);
  run('req', ...newKey('server'), '-out', file('server.csr'), '-subj', '/CN=db.example');
  writeFileSync(file('names'), 'subjectAltName=DNS:db.example,IP:127.0.0.1');
  const signed = ['-CA', file('ca.pem'), '-CAkey', file('ca-key.pem'), '-CAcreateserial', '-extfile', file('names')];
  run('x509', '-req', '-in', file('server.csr'), ...signed, '-out', file('server.pem'));
  const [ca, otherCa, server, serverKey] = ['ca', 'other-ca', 'server', 'server-key'].map((name) =>
    file(`${name}.pem`),
  );
  return { ca: ca!, otherCa: otherCa!, server: server!, serverKey: serverKey! };
}

const CURVE = 'ec_paramgen_curve:prime256v1';
const SSL_REQUEST = 80877103;

/** Postgres as a server that requires TLS: it passes the decrypted bytes to the real one. @returns its port */
export async function tlsDatabase(
  realUrl: string,
  { server: cert, serverKey: key }: Certificates,
): Promise<{ port: number; close(): Promise<void> }> {
  const { hostname, port } = new URL(realUrl);
  const context = tls.createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) });
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
