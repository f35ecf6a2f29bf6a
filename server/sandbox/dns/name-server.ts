import dgram from 'node:dgram';
import net from 'node:net';
import type { ZoneRecord } from './zone';

const TYPES = { CNAME: 5, TXT: 16 } as const;
const NXDOMAIN = 3;
const SERVFAIL = 2;
/** Longer answers are cut off over UDP and asked for again over TCP (RFC 1035 §4.2.1). */
const UDP_BYTES = 512;
const MAX_ALIASES = 8;

/** The records of a name; null to send no answer at all. */
export type FindRecords = (host: string) => Promise<ZoneRecord[] | null>;
export type NameServer = { address: string; close(): Promise<void> };

/** A name server on loopback that has TXT and CNAME records, over UDP and TCP. */
export async function startNameServer(find: FindRecords): Promise<NameServer> {
  const answer = async (query: Buffer, limit: number) => {
    const question = questionOf(query);
    if (!question) return null;
    try {
      const records = await collect(find, question);
      return records && reply(query, question, records, limit);
    } catch {
      return head(query.subarray(0, question.end), { code: SERVFAIL });
    }
  };
  const tcp = net.createServer((socket) => serveStream(socket, (query) => answer(query, 65_535)));
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  tcp.unref();
  const { port } = tcp.address() as net.AddressInfo;
  const udp = dgram.createSocket('udp4').unref();
  udp.on('error', () => {});
  udp.on('message', (query, from) => {
    void answer(query, UDP_BYTES).then((bytes) => bytes && udp.send(bytes, from.port, from.address));
  });
  await new Promise<void>((resolve, reject) => udp.once('error', reject).bind(port, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${port}`,
    async close() {
      await new Promise<void>((resolve) => udp.close(resolve));
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

/** Over TCP, each message has its length before it. */
function serveStream(socket: net.Socket, answer: (query: Buffer) => Promise<Buffer | null>): void {
  let read = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    read = Buffer.concat([read, chunk]);
    if (read.length < 2 || read.length < 2 + read.readUInt16BE(0)) return;
    const query = read.subarray(2, 2 + read.readUInt16BE(0));
    void answer(query).then((bytes) => {
      if (!bytes) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(bytes.length);
      socket.end(Buffer.concat([length, bytes]));
    });
  });
}

type Question = { name: string; type: number; end: number };

function questionOf(query: Buffer): Question | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]; length; length = query[at]) {
    if (length > 63 || at + length >= query.length) return null;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (query.length < at + 5) return null;
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** The records that answer the question, with the aliases on the way to them. `isKnown`: the name exists. */
async function collect(find: FindRecords, { name, type }: Question) {
  const answers: ZoneRecord[] = [];
  let isKnown = false;
  let host = name;
  for (let step = 0; step < MAX_ALIASES; step += 1) {
    const records = await find(host);
    if (records === null) return null;
    isKnown ||= records.length > 0;
    const alias = records.find((record) => record.type === 'CNAME');
    answers.push(...records.filter((record) => TYPES[record.type] === type || record === alias));
    if (!alias || type === TYPES.CNAME) break;
    host = alias.value.toLowerCase().replace(/\.$/, '');
  }
  return { answers, isKnown };
}

type Collected = { answers: ZoneRecord[]; isKnown: boolean };

function reply(query: Buffer, { end }: Question, { answers, isKnown }: Collected, limit: number): Buffer {
  const asked = query.subarray(0, end);
  const bytes = Buffer.concat([
    head(asked, { count: answers.length, code: isKnown ? 0 : NXDOMAIN }),
    ...answers.map(encodeRecord),
  ]);
  return bytes.length <= limit ? bytes : head(asked, { isCut: true });
}

/** The question again, with the flags of an answer: QR, AA, RD, RA and, if the answer is cut off, TC. */
function head(asked: Buffer, { count = 0, code = 0, isCut = false }): Buffer {
  const bytes = Buffer.from(asked);
  bytes.writeUInt16BE(0x8580 | (isCut ? 0x0200 : 0) | code, 2);
  bytes.writeUInt16BE(1, 4);
  bytes.writeUInt16BE(count, 6);
  bytes.writeUInt32BE(0, 8);
  return bytes;
}

/** With a TTL of 0. */
function encodeRecord({ host, type, value }: ZoneRecord): Buffer {
  const data = type === 'CNAME' ? encodeName(value) : encodeText(value);
  const meta = Buffer.alloc(10);
  meta.writeUInt16BE(TYPES[type], 0);
  meta.writeUInt16BE(1, 2);
  meta.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(host), meta, data]);
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .replace(/\.$/, '')
      .split('.')
      .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ]);

/** Strings of at most 255 bytes. */
function encodeText(value: string): Buffer {
  const bytes = Buffer.from(value);
  const parts = Array.from({ length: Math.max(1, Math.ceil(bytes.length / 255)) }, (_, i) =>
    bytes.subarray(i * 255, (i + 1) * 255),
  );
  return Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), part]));
}
