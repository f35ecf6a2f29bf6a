import net from 'node:net';
import tls from 'node:tls';
import { createReplyReader, ProtocolError, type SmtpReply } from './smtp-reply';

export type ChannelListener = { onReply(reply: SmtpReply): void; onDrain?(): void; onEnd(reason: Error): void };

/** A connection to a mail server that delivers whole replies. */
export type Channel = {
  /** Replaces the listener. */
  listen(listener: ChannelListener): void;
  write(piece: string | Buffer): void;
  /** Whether the server reads more slowly than we write. */
  isFull(): boolean;
  startTls(): Promise<void>;
  /** Ends at once; the listener is told. */
  destroy(reason: Error): void;
};

export type Endpoint = { host: string; port: number; isSecure: boolean; tls: tls.ConnectionOptions };

export async function openChannel(endpoint: Endpoint, connectMs: number): Promise<Channel> {
  const { host, port, isSecure } = endpoint;
  const plain = isSecure ? tls.connect({ ...tlsOptions(endpoint), host, port }) : net.connect({ host, port });
  const ready = isSecure ? 'secureConnect' : 'connect';
  return toChannel(await whenReady(plain, ready, connectMs), endpoint, connectMs);
}

function toChannel(first: net.Socket, endpoint: Endpoint, connectMs: number): Channel {
  let socket = first;
  let listener: ChannelListener = { onReply() {}, onEnd() {} };
  let early: SmtpReply[] | null = [];
  let ended: Error | null = null;
  const reader = createReplyReader((reply) => {
    if (early) early.push(reply);
    else if (!ended) listener.onReply(reply);
  });

  function end(reason: Error): void {
    if (ended) return;
    ended = reason;
    socket.destroy();
    listener.onEnd(reason);
  }
  function read(chunk: Buffer): void {
    if (ended) return;
    try {
      reader.add(chunk);
    } catch (error) {
      end(error as Error);
    }
  }
  const tellDrain = () => listener.onDrain?.();
  const endClosed = () => end(new Error('the mail server closed the connection'));
  function attach(): void {
    socket.setNoDelay(true);
    socket.on('data', read).on('drain', tellDrain).on('error', end).on('end', endClosed).on('close', endClosed);
  }
  function detach(): net.Socket {
    // errors of the socket below reach the one above
    for (const event of ['end', 'close'] as const) socket.off(event, endClosed);
    return socket
      .off('data', read)
      .off('drain', tellDrain)
      .off('error', end)
      .on('error', () => {});
  }

  attach();
  return {
    listen(next) {
      listener = next;
      const waiting = early ?? [];
      early = null;
      for (const reply of waiting) listener.onReply(reply);
      if (ended) listener.onEnd(ended);
    },
    write(piece) {
      if (ended) return;
      if (socket.writableCorked === 0) {
        // commands of one turn leave in one packet
        socket.cork();
        process.nextTick((corked: net.Socket) => corked.uncork(), socket);
      }
      socket.write(piece);
    },
    isFull: () => socket.writableNeedDrain,
    destroy: end,
    async startTls() {
      // what came before the handshake may be an attacker's (CVE-2021-38371)
      if (!reader.isEmpty()) throw new ProtocolError('the server answered too much before TLS');
      socket = tls.connect({ ...tlsOptions(endpoint), socket: detach() });
      await whenReady(socket, 'secureConnect', connectMs);
      attach();
    },
  };
}

function tlsOptions({ host, tls: options }: Endpoint): tls.ConnectionOptions {
  return { ...(net.isIP(host) ? {} : { servername: host }), host, ...options };
}

function whenReady<S extends net.Socket>(socket: S, event: string, limitMs: number): Promise<S> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new Error('connecting to the mail server took too long')), limitMs);
    function fail(error: Error): void {
      clearTimeout(timer);
      // a destroyed socket may report more errors
      socket.on('error', () => {});
      socket.destroy();
      reject(error);
    }
    const onClose = () => fail(new Error('the mail server closed the connection'));
    socket.once('error', fail);
    socket.once('close', onClose);
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off('error', fail);
      socket.off('close', onClose);
      resolve(socket);
    });
  });
}
