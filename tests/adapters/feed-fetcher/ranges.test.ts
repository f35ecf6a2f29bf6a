import { expect, test } from 'vitest';
import { isAllowedIp, parsePublicUrl } from '~/server/adapters/feed-fetcher/addresses';

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const hex = (part: string | number, digits = 2) => Number(part).toString(16).padStart(digits, '0');

/** Different spellings of one address. */
function spellings(address: string): string[] {
  const parts = address.split('.');
  const [a, b, c, d] = parts.map(Number) as [number, number, number, number];
  const high = hex(a * 256 + b, 4);
  const low = hex(c * 256 + d, 4);
  return [
    address,
    `${address}.`,
    String(numberOf(address)),
    `0x${hex(numberOf(address), 8)}`,
    `0${numberOf(address).toString(8)}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    parts.map((part) => `0x${hex(part)}`).join('.'),
    parts.map((part) => `0${Number(part).toString(8)}`).join('.'),
    parts.map((part) => [...part].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')).join('．'),
    [...address].map((letter) => `%${hex(letter.codePointAt(0)!)}`).join(''),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
  ];
}

/** IPv6 forms that contain an IPv4 address; all of them are rejected. */
function embeddings(address: string): string[] {
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
  const words = `${hex(a * 256 + b, 4)}:${hex(c * 256 + d, 4)}`;
  return [
    `64:ff9b::${address}`,
    `64:ff9b:1::${words}`,
    `64:ff9b:1:ffff::${words}`,
    `2002:${words}::1`,
    `2001:0:${words}::1`,
    `2001::${words}`,
    `::${words}`,
    `::ffff:0:${words}`,
  ];
}

/** Name, first and last address of the range, and the adjacent public addresses. */
const IPV4_RANGES: [string, string, string, string[]][] = [
  ['this network', '0.0.0.0', '0.255.255.255', ['1.0.0.0']],
  ['private', '10.0.0.0', '10.255.255.255', ['9.255.255.255', '11.0.0.0']],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', ['100.63.255.255', '100.128.0.0']],
  ['loopback', '127.0.0.0', '127.255.255.255', ['126.255.255.255', '128.0.0.0']],
  ['link-local', '169.254.0.0', '169.254.255.255', ['169.253.255.255', '169.255.0.0']],
  ['private', '172.16.0.0', '172.31.255.255', ['172.15.255.255', '172.32.0.0']],
  ['protocol assignments', '192.0.0.0', '192.0.0.255', ['191.255.255.255', '192.0.1.0']],
  ['documentation', '192.0.2.0', '192.0.2.255', ['192.0.1.255', '192.0.3.0']],
  ['6to4 relays', '192.88.99.0', '192.88.99.255', ['192.88.98.255', '192.88.100.0']],
  ['private', '192.168.0.0', '192.168.255.255', ['192.167.255.255', '192.169.0.0']],
  ['benchmarks', '198.18.0.0', '198.19.255.255', ['198.17.255.255', '198.20.0.0']],
  ['documentation', '198.51.100.0', '198.51.100.255', ['198.51.99.255', '198.51.101.0']],
  ['documentation', '203.0.113.0', '203.0.113.255', ['203.0.112.255', '203.0.114.0']],
  ['multicast', '224.0.0.0', '239.255.255.255', ['223.255.255.255']],
  ['reserved and broadcast', '240.0.0.0', '255.255.255.255', []],
  ['a cloud provider’s host', '168.63.129.16', '168.63.129.16', ['168.63.129.15', '168.63.129.17']],
];

test.each(IPV4_RANGES)(
  '%s, %s to %s, is rejected in every spelling, unlike adjacent addresses',
  (_, first, last, outside) => {
    for (const host of [first, last].flatMap(spellings))
      expect(() => parsePublicUrl(`http://${host}/`, {}), host).toThrow(
        expect.objectContaining({ code: 'fetch.address_private' }),
      );
    for (const host of outside.flatMap(spellings))
      expect(() => parsePublicUrl(`http://${host}/`, {}), host).not.toThrow();
  },
);

test.each(IPV4_RANGES)('%s, %s to %s, is rejected if a name resolves to it', (_, first, last, outside) => {
  for (const address of [first, last])
    for (const form of [address, `::ffff:${address}`, `::FFFF:${address}`, ...embeddings(address)])
      expect(isAllowedIp(form, {}), form).toBe(false);
  for (const address of outside) expect(isAllowedIp(`::ffff:${address}`, {}), address).toBe(true);
});

test('an IPv6 address that contains a public IPv4 address is rejected', () => {
  for (const form of embeddings('8.8.8.8')) {
    expect(isAllowedIp(form, {}), form).toBe(false);
    expect(() => parsePublicUrl(`http://[${form}]/`, {}), form).toThrow(
      expect.objectContaining({ code: 'fetch.address_private' }),
    );
  }
});

test.each<[string, string[], string[]]>([
  ['unspecified and loopback', ['::', '::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001'], []],
  ['NAT64', ['64:ff9b::', '64:ff9b::ffff:ffff', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'], []],
  ['discard-only', ['100::', '100::ffff:ffff:ffff:ffff'], []],
  ['Teredo and other protocols', ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'], ['2001:200::']],
  ['benchmarks and ORCHID', ['2001:2::', '2001:10::1', '2001:2f:ffff::', '2001:3f::1'], []],
  [
    'documentation',
    ['2001:db8::', '2001:DB8:ffff::1', '3fff::', '3fff:fff:ffff::1'],
    ['2001:db7::1', '2001:db9::1', '3fff:1000::1'],
  ],
  ['6to4', ['2002::', '2002:ffff:ffff::1'], ['2003::1', '2001:ffff::1']],
  ['segment routing', ['5f00::', '5f00:ffff::1'], []],
  ['unique local', ['fc00::', 'fd00:ec2::254', 'fdff:ffff::1'], []],
  ['link-local', ['fe80::', 'fe80::1', 'febf:ffff::1', 'fe80::1%eth0', 'fe80::1%25eth0'], []],
  ['site-local', ['fec0::', 'feff:ffff::1'], []],
  ['multicast', ['ff00::', 'ff02::1', 'ff05::1:3', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], []],
  ['unassigned', ['1::1', '1fff:ffff::1', '4000::1', '8000::1', 'e000::1'], []],
  ['public', [], ['2000::1', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2620:4f:7fff::1']],
])('%s IPv6 addresses are rejected, and others allowed', (_, rejected, allowed) => {
  for (const address of rejected) expect(isAllowedIp(address, {}), address).toBe(false);
  for (const address of allowed) expect(isAllowedIp(address, {}), address).toBe(true);
});

test.each(['', 'localhost', '1.2.3.4.5', '12345::', '::1::', 'g::1', '127.0.0.1 ', '127.0.0.1\n'])(
  'text that is not an address (%j) is not allowed',
  (text) => {
    expect(isAllowedIp(text, {})).toBe(false);
  },
);

test('the test setting allows loopback and changes nothing else', () => {
  const options = { allowLoopback: true };
  const all = IPV4_RANGES.filter(([name]) => name !== 'loopback').flatMap(([, first, last]) => [first, last]);

  for (const address of all) expect(isAllowedIp(address, options), address).toBe(false);
  for (const host of spellings('127.0.0.1'))
    expect(() => parsePublicUrl(`http://${host}:9/`, options), host).not.toThrow();
  for (const host of ['printer.local', 'intranet', 'metadata.google.internal'])
    expect(() => parsePublicUrl(`http://${host}/`, options), host).toThrow();
  for (const host of ['localhost', 'app.localhost', 'LOCALHOST.'])
    expect(() => parsePublicUrl(`http://${host}:9/`, options), host).not.toThrow();
  expect(() => parsePublicUrl('http://8.8.8.8:9/', options)).toThrow();
});
