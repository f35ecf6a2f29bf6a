import { isIPv4 } from 'node:net';

type Value = string | number | Value[] | { [key: string]: Value };

const TYPES = { string: 2, map: 7, array: 11, uint32: 6 } as const;

/** A MaxMind DB file (format 2.0) with IPv6 addresses, and IPv4 ones below ::/96. @param entries by network in CIDR form */
export function writeMmdb(entries: Record<string, Value>): Buffer {
  const nodes: [number | Buffer | null, number | Buffer | null][] = [[null, null]];
  for (const [network, value] of Object.entries(entries)) insert(nodes, bitsOf(network), encode(value));
  const data: Buffer[] = [];
  let size = 0;
  const pointerTo = (record: number | Buffer | null): number => {
    if (record === null) return nodes.length;
    if (typeof record === 'number') return record;
    data.push(record);
    size += record.length;
    return nodes.length + 16 + size - record.length;
  };
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [i, records] of nodes.entries())
    for (const [side, record] of records.entries()) tree.writeUIntBE(pointerTo(record), i * 6 + side * 3, 3);
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: 'test',
    description: { en: 'test' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  });
  return Buffer.concat([tree, Buffer.alloc(16), ...data, Buffer.from('abcdef4d61784d696e642e636f6d', 'hex'), metadata]);
}

function insert(nodes: [number | Buffer | null, number | Buffer | null][], bits: number[], value: Buffer): void {
  let at = 0;
  for (const bit of bits.slice(0, -1)) {
    const next = nodes[at]![bit];
    const isNode = typeof next === 'number';
    if (!isNode) nodes.push([next ?? null, next ?? null]);
    const node = isNode ? next : nodes.length - 1;
    nodes[at]![bit] = node;
    at = node;
  }
  nodes[at]![bits.at(-1)!] = value;
}

function bitsOf(network: string): number[] {
  const [address = '', length = ''] = network.split('/');
  const isShort = isIPv4(address);
  const bytes = isShort ? [...Array<number>(12).fill(0), ...address.split('.').map(Number)] : bytesOfIPv6(address);
  const all = bytes.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((shift) => (byte >> shift) & 1));
  return all.slice(0, Number(length) + (isShort ? 96 : 0));
}

function bytesOfIPv6(address: string): number[] {
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 255]);
}

function encode(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([control(TYPES.string, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(TYPES.uint32, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(TYPES.array, value.length), ...value.map(encode)]);
  const pairs = Object.entries(value);
  return Buffer.concat([
    control(TYPES.map, pairs.length),
    ...pairs.flatMap(([key, item]) => [encode(key), encode(item)]),
  ]);
}

/** Types above 7 are written as 0, with the rest in the next byte. No test has a value of 29 bytes or more. */
function control(type: number, size: number): Buffer {
  return type <= 7 ? Buffer.from([(type << 5) | size]) : Buffer.from([size, type - 7]);
}
