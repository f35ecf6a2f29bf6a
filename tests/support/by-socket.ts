import net from 'node:net';

type Connect = typeof net.Socket.prototype.connect;

/**
 * From now on, this process reaches the server on a local port through its Unix socket: over TCP, each of a test's many
 * thousand messages costs half as much again. The addresses still work for child processes and proxies.
 */
export function reachBySocket(port: number, socket: string): void {
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    const [first, host] = args;
    const isServer = typeof first !== 'object' && Number(first) === port && host === '127.0.0.1';
    return isServer ? connect.call(this, socket) : connect.apply(this, args as never);
  } as Connect;
}
