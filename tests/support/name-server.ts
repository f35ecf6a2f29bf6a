import dgram from 'node:dgram';
import { isIPv6 } from 'node:net';

const TYPE = { A: 1, AAAA: 28 } as const;

export type NameServer = { address: string; queries: string[]; close(): Promise<void> };

/** A name server on loopback. `answer` returns the addresses of a name, or null to send no reply. */
export async function nameServer(answer: (name: string, time: number) => string[] | null): Promise<NameServer> {
  const socket = dgram.createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (query, from) => {
    const { name, end, type } = questionOf(query);
    if (type === TYPE.A) queries.push(name);
    const addresses = answer(name, queries.length);
    if (addresses === null) return;
    const matching = addresses.filter((address) => isIPv6(address) === (type === TYPE.AAAA));
    socket.send(
      reply(
        query.subarray(0, end),
        matching.map((address) => record(address, type)),
      ),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A record that refers to the name in the question, with a TTL of 0. */
function record(address: string, type: number): Buffer {
  const data = type === TYPE.A ? Buffer.from(address.split('.').map(Number)) : sixteen(address);
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

function sixteen(address: string): Buffer {
  const [left = '', right = ''] = address.split('::');
  const words = (text: string) => text.split(':').filter((word) => word !== '');
  const gap = Array(8 - words(left).length - words(right).length).fill('0');
  return Buffer.from([...words(left), ...gap, ...words(right)].map((word) => word.padStart(4, '0')).join(''), 'hex');
}

function reply(question: Buffer, records: Buffer[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, ...records]);
}
