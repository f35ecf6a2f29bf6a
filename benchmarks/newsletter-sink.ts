// A mail server in a process of its own that accepts everything: `newsletter-sink.ts CHUNKING` offers CHUNKING as well.
import net from 'node:net';

const OFFERS = ['PIPELINING', '8BITMIME', 'ENHANCEDSTATUSCODES', ...process.argv.slice(2)];
const EHLO = ['sink', ...OFFERS].map((line, i, { length }) => `250${i === length - 1 ? ' ' : '-'}${line}\r\n`).join('');
const END = Buffer.from('\r\n.\r\n');
const NONE = Buffer.alloc(0);
let emails = 0;
let bytes = 0;
let [firstAt, lastAt] = [0, 0];

const server = net.createServer({ noDelay: true }, (socket) => {
  let input: Buffer = NONE;
  let isData = false;
  /** Bytes of a BDAT that are still to come. */
  let missing = 0;
  socket.write('220 sink\r\n');
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    input = input.length === 0 ? chunk : Buffer.concat([input, chunk]);
    let answers = '';
    for (let answer = next(); answer !== null; answer = next()) answers += answer;
    if (answers !== '') socket.write(answers);
  });

  /** The answer to the next command, or null without a whole one. */
  function next(): string | null {
    if (missing > 0) {
      const taken = Math.min(missing, input.length);
      input = input.subarray(taken);
      missing -= taken;
      return missing > 0 ? null : accept();
    }
    if (isData) {
      const end = input.indexOf(END);
      if (end < 0) return null;
      input = input.subarray(end + END.length);
      isData = false;
      return accept();
    }
    const end = input.indexOf(10);
    if (end < 0) return null;
    const line = input.toString('latin1', 0, end - 1);
    input = input.subarray(end + 1);
    return answerTo(line);
  }

  function answerTo(line: string): string | null {
    if (line.startsWith('EHLO')) return EHLO;
    if (line.startsWith('BDAT')) {
      missing = Number.parseInt(line.slice(5), 10);
      return next();
    }
    if (line === 'DATA') {
      isData = true;
      return '354 go on\r\n';
    }
    if (line !== 'QUIT') return '250 2.0.0 ok\r\n';
    socket.end('221 bye\r\n');
    return null;
  }

  function accept(): string {
    emails += 1;
    lastAt = Date.now();
    firstAt ||= lastAt;
    return '250 2.0.0 kept\r\n';
  }
});

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as net.AddressInfo).port }));
process.on('message', () => {
  process.send?.({ emails, bytes, firstAt, lastAt });
  [firstAt, lastAt] = [0, 0];
});
process.on('disconnect', () => process.exit(0));
