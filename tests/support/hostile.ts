import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';

/** A server on loopback that misbehaves. `open` counts its open connections. */
export type Hostile = { port: number; url(path?: string): string; open(): number; close(): Promise<void> };

/** Counts the open sockets, pipes and files of this process, and its pending network operations. */
export function heldOpen(): number {
  const waiting = process.getActiveResourcesInfo().filter((name) => /TCP|TLS|UDP|DNS|Addr|Query/i.test(name));
  const files = fs.existsSync('/proc/self/fd') ? fs.readdirSync('/proc/self/fd') : [];
  return waiting.length + files.length;
}

export async function hostileServer(handle: http.RequestListener): Promise<Hostile> {
  return listening(http.createServer({ requireHostHeader: false }, handle));
}

/** A server that sends raw bytes. */
export async function rawServer(handle: (socket: net.Socket, request: string) => void): Promise<Hostile> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => handle(socket, data.toString()));
  });
  return listening(server);
}

async function listening(server: net.Server): Promise<Hostile> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
