import { once } from 'node:events';
import net from 'node:net';

/** The parameters that a client may set at the start, as with PgBouncer. Others belong to a session. */
const PARAMETERS = new Set(['user', 'database', 'client_encoding', 'application_name']);
const SSL_REQUEST = 80_877_103;
const CANCEL_REQUEST = 80_877_102;
const TERMINATE = 'X';
const READY = 'Z';

type Server = { socket: net.Socket; client: Client | null; name: string; isSilent: boolean };
type Client = {
  socket: net.Socket;
  name: string;
  server: Server | null;
  waiting: Buffer[];
  unanswered: number;
};

export type TransactionPooler = { url: string; close(): Promise<void> };

/**
 * A pooler in transaction mode: a client has a server connection only during a transaction, and its next transaction
 * gets another, so prepared statements, LISTEN and session settings are lost. Each client logs in on its own server
 * connection, which all clients then share. Like PgBouncer, it ends a transaction with the first answer that no Sync
 * or query follows.
 */
export async function transactionPooler(databaseUrl: string): Promise<TransactionPooler> {
  const target = new URL(databaseUrl);
  const sockets = new Set<net.Socket>();
  const pool = createPool();
  const listening = net.createServer(async (socket) => {
    keep(socket);
    const startup = await readStartup(socket).catch(() => null);
    if (!startup) return void socket.destroy();
    const unsupported = [...startup.parameters.keys()].find((name) => !PARAMETERS.has(name));
    if (unsupported) return void socket.end(errorMessage(`unsupported startup parameter: ${unsupported}`));
    const upstream = net.connect(Number(target.port), target.hostname);
    keep(upstream);
    upstream.write(startup.bytes);
    pool.join(socket, upstream, startup.parameters.get('application_name') ?? '');
  });
  function keep(socket: net.Socket) {
    sockets.add(socket);
    // messages are passed on one by one
    socket.setNoDelay(true);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  }
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listening.address() as net.AddressInfo).port}`;
  return {
    url: url.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listening.close(resolve));
    },
  };
}

function createPool() {
  const idle: Server[] = [];
  const queue: Client[] = [];

  /** The least recently used server connection. */
  function serve(client: Client): void {
    const server = idle.shift();
    if (!server) return void queue.push(client);
    Object.assign(server, { client });
    client.server = server;
    if (server.name !== client.name) rename(server, client.name);
    for (const message of client.waiting.splice(0)) server.socket.write(message);
  }

  function release(server: Server): void {
    if (server.client) server.client.server = null;
    server.client = null;
    idle.push(server);
    const next = queue.shift();
    if (next) serve(next);
  }

  function fromClient(client: Client, message: Buffer): void {
    const type = String.fromCharCode(message[0] ?? 0);
    if (type === TERMINATE) return void client.socket.end();
    if (type === 'Q' || type === 'S') client.unanswered += 1;
    if (client.server) return void client.server.socket.write(message);
    if (client.waiting.push(message) === 1) serve(client);
  }

  function fromServer(server: Server, message: Buffer): void {
    const { client } = server;
    const isReady = String.fromCharCode(message[0] ?? 0) === READY;
    if (server.isSilent) {
      if (isReady) server.isSilent = false;
      return;
    }
    // a notification for a client that has left, or an answer to what was sent ahead without a Sync
    if (!client) return;
    client.socket.write(message);
    if (!isReady) return;
    client.unanswered -= 1;
    if (message[5] === 'I'.charCodeAt(0) && client.unanswered === 0) release(server);
  }

  return {
    /** Adds a client and its server connection; the log-in counts as the first transaction. */
    join(socket: net.Socket, upstream: net.Socket, name: string): void {
      const client: Client = { socket, name, server: null, waiting: [], unanswered: 1 };
      const server: Server = { socket: upstream, client, name, isSilent: false };
      client.server = server;
      onMessages(socket, (message) => fromClient(client, message));
      onMessages(upstream, (message) => fromServer(server, message));
      socket.on('close', () => {
        client.server?.socket.destroy();
        remove(queue, client);
      });
      upstream.on('close', () => {
        server.client?.socket.destroy();
        remove(idle, server);
      });
    },
  };
}

function remove<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}

/** Renames the connection like PgBouncer, and discards the answer. */
function rename(server: Server, name: string): void {
  server.name = name;
  server.isSilent = true;
  server.socket.write(frame('Q', `set application_name = '${name}'\0`));
}

function onMessages(socket: net.Socket, onMessage: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1;
      onMessage(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  });
}

/** @returns null for a cancel request, which this pooler ignores */
async function readStartup(socket: net.Socket) {
  for (;;) {
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    const code = bytes.readInt32BE(4);
    if (code === CANCEL_REQUEST) return null;
    if (code !== SSL_REQUEST) {
      const words = bytes.subarray(8).toString().split('\0');
      const pairs = words.flatMap((word, i): [string, string][] =>
        i % 2 === 0 && word ? [[word, words[i + 1] ?? '']] : [],
      );
      return { bytes, parameters: new Map(pairs) };
    }
    socket.write('N');
  }
}

const errorMessage = (text: string) => frame('E', `SFATAL\0VFATAL\0C08P01\0M${text}\0\0`);

function frame(type: string, body: string): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(Buffer.byteLength(body) + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}
