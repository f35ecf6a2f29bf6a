import net from 'node:net';

export type PeerEvent = {
  step: 'greeting' | 'ehlo' | 'reset' | 'mail' | 'rcpt' | 'data' | 'end' | 'quit' | 'other';
  line: string;
  /** The recipient of the current email. */
  to: string;
  /** Of this peer, from 0. */
  connection: number;
};
/** What the peer answers: text; `drop` closes the connection, `keep and drop` keeps the email before; or nothing. */
export type PeerAnswer = string | 'drop' | 'keep and drop' | 'silence' | undefined;
export type PeerOptions = {
  offers?: string[];
  answer?(event: PeerEvent): PeerAnswer;
  /** Reads so many bytes per turn. */
  sip?: number;
};
export type KeptEmail = { from: string; to: string; bytes: Buffer; mail: string; rcpt: string };

const DEFAULTS: Record<PeerEvent['step'], string> = {
  greeting: '220 peer.example ESMTP',
  ehlo: '250 peer.example',
  reset: '250 2.0.0 ok',
  mail: '250 2.1.0 ok',
  rcpt: '250 2.1.5 ok',
  data: '354 go on',
  end: '250 2.0.0 kept',
  quit: '221 2.0.0 bye',
  other: '502 5.5.1 not implemented',
};
const STEPS: Record<string, PeerEvent['step']> = {
  EHLO: 'ehlo',
  HELO: 'ehlo',
  RSET: 'reset',
  MAIL: 'mail',
  RCPT: 'rcpt',
  DATA: 'data',
  BDAT: 'end',
  QUIT: 'quit',
};
export const ALL_OFFERS = ['PIPELINING', 'CHUNKING', '8BITMIME', 'SMTPUTF8', 'DSN', 'ENHANCEDSTATUSCODES'];

/** A mail server on this machine that answers as a test says, and keeps what it has accepted. */
export async function openPeer({ offers = [], answer, sip }: PeerOptions = {}) {
  const kept: KeptEmail[] = [];
  const commands: string[] = [];
  const sockets = new Set<net.Socket>();
  let connections = 0;
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    converse(socket, connections++);
  });

  function converse(socket: net.Socket, connection: number): void {
    let input = Buffer.alloc(0);
    let [mail, rcpt, isData] = ['', '', false];
    const between = (text: string) => /<([^>]*)>/.exec(text)?.[1] ?? '';

    function reply(step: PeerEvent['step'], line: string, bytes: Buffer | null = null): string {
      const to = between(rcpt);
      const given = answer?.({ step, line, to, connection });
      const written = given ?? (step === 'ehlo' && line.startsWith('EHLO') ? ehlo(offers) : DEFAULTS[step]);
      const isKept = bytes !== null && (written.startsWith('2') || written === 'keep and drop');
      if (isKept) kept.push({ from: between(mail), to, bytes: bytes, mail, rcpt });
      if (written.endsWith('drop')) socket.destroy();
      else if (written !== 'silence') socket.write(`${written}\r\n`);
      if (written.startsWith('421') || step === 'quit') socket.end();
      return written;
    }

    function onLine(line: string): void {
      const step = STEPS[line.slice(0, 4).toUpperCase()] ?? 'other';
      commands.push(line);
      if ((step === 'rcpt' && mail === '') || (step === 'data' && rcpt === '')) {
        socket.write('503 5.5.1 out of order\r\n');
        return;
      }
      if (step === 'reset') [mail, rcpt] = ['', ''];
      if (step === 'mail') mail = line;
      if (step === 'rcpt') rcpt = line;
      const hasAgreed = /^[23]/.test(reply(step, line));
      if (!hasAgreed && step === 'mail') mail = '';
      if (!hasAgreed && step === 'rcpt') rcpt = '';
      if (hasAgreed && step === 'data') isData = true;
    }

    /** Whether something was taken from the input. */
    function take(): boolean {
      if (isData) {
        const text = input.toString('latin1');
        const end = text.startsWith('.\r\n') ? 0 : text.indexOf('\r\n.\r\n') + 2;
        if (end === 1) return false;
        input = input.subarray(end + 3);
        isData = false;
        const bytes = Buffer.from(text.slice(0, end).replace(/^\.\./gm, '.'), 'latin1');
        reply('end', 'DATA', rcpt === '' ? null : bytes);
        [mail, rcpt] = ['', ''];
        return true;
      }
      const lf = input.indexOf(10);
      if (lf < 0) return false;
      const line = input.toString('utf8', 0, lf).replace(/\r$/, '');
      const size = Number(/^BDAT (\d+)/i.exec(line)?.[1] ?? -1);
      if (input.length < lf + 1 + Math.max(0, size)) return false;
      const bytes = input.subarray(lf + 1, lf + 1 + Math.max(0, size));
      input = input.subarray(lf + 1 + bytes.length);
      if (size < 0) onLine(line);
      else if (rcpt === '') socket.write('503 5.5.1 no recipient\r\n');
      else {
        commands.push(line);
        reply('end', line, bytes);
        [mail, rcpt] = ['', ''];
      }
      return true;
    }

    reply('greeting', '');
    socket.on('data', (chunk: Buffer) => {
      if (sip) {
        socket.pause();
        setImmediate(() => socket.resume());
      }
      input = Buffer.concat([input, chunk]);
      while (!socket.destroyed && !socket.writableEnded && take());
    });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    kept,
    commands,
    connections: () => connections,
    isUnused: () => sockets.size === 0,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const ehlo = (offers: string[]) =>
  ['peer.example', ...offers].map((line, i) => `250${i === offers.length ? ' ' : '-'}${line}`).join('\r\n');
