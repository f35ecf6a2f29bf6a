import net from 'node:net';

export type DatabaseProxy = {
  /** The URL of the database through the proxy. */
  url: string;
  /** Breaks every connection and refuses new ones, like a stopped server. */
  refuse(): Promise<void>;
  /** Refuses new connections only. */
  refuseNew(): void;
  /** Passes nothing on, and breaks nothing, like a lost network. */
  silence(): void;
  /** Like `silence`, for the open connections only. */
  loseConnections(): void;
  restore(): Promise<void>;
  close(): Promise<void>;
};

/** A connection to the database that tests can interrupt. */
export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<net.Socket>();
  let lost = new WeakSet<net.Socket>();
  let isSilent = false;
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => void (isSilent || lost.has(from) || to.write(bytes)));
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as net.AddressInfo;
  const through = new URL(databaseUrl);
  through.host = `127.0.0.1:${port}`;
  async function refuse() {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    for (const socket of sockets) socket.resetAndDestroy();
    await closed;
  }
  return {
    url: through.href,
    refuse,
    refuseNew: () => void server.close(),
    silence() {
      isSilent = true;
    },
    loseConnections() {
      lost = new WeakSet(sockets);
    },
    async restore() {
      isSilent = false;
      // data sent during the silence is lost, so these connections are broken
      for (const socket of sockets) socket.destroy();
      if (!server.listening) await listen(port);
    },
    close: async () => void (server.listening && (await refuse())),
  };
}
