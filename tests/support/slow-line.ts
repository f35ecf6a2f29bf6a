import net from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

const TICK_MS = 50;

export type SlowLine = {
  port: number;
  /** The client's upload rate. */
  bytesPerSecond: number;
  /** Closes every connection, and accepts none during this time. */
  drop(milliseconds: number): Promise<void>;
  close(): Promise<void>;
};

/** A throttled connection to a local server that tests can cut, over real sockets. */
export async function slowLine(target: number, bytesPerSecond: number): Promise<SlowLine> {
  const sockets = new Set<net.Socket>();
  let down = false;
  const line = { bytesPerSecond } as SlowLine;
  const throttle = () =>
    new Transform({
      async transform(chunk: Buffer, _, done) {
        const step = Math.max(1, Math.ceil((line.bytesPerSecond * TICK_MS) / 1000));
        for (let at = 0; at < chunk.length; at += step) {
          this.push(chunk.subarray(at, at + step));
          if (chunk.length > step) await wait(TICK_MS);
        }
        done();
      },
    });
  const server = net.createServer((client) => {
    if (down) return void client.destroy();
    const upstream = net.connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(throttle()).pipe(upstream);
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  return Object.assign(line, {
    port: (server.address() as net.AddressInfo).port,
    async drop(milliseconds: number) {
      down = true;
      hangUp();
      await wait(milliseconds);
      down = false;
    },
    async close() {
      hangUp();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
