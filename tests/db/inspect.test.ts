import { expect, test } from 'vitest';
import { describeFault } from '~/db/inspect';
import { connectionTo } from '~/db/tls';
import { serverProblems } from '~/server/runtime/check-start';

const ADDRESS = 'postgres://ana:s3cret@db.example:5433/shows';
const faultOf = (code: string, message = '') => describeFault(Object.assign(new Error(message), { code }), ADDRESS);

test.each([
  ['28P01', 'rejects the user ana or its password'],
  ['08P01', 'rejects the user ana or its password', 'SASL authentication failed'],
  ['3D000', 'no database shows'],
  ['ENOTFOUND', 'host db.example of the database is unknown'],
  ['ECONNREFUSED', 'no database answers at db.example:5433'],
  ['CONNECT_TIMEOUT', 'no database answers at db.example:5433'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate of the database at db.example:5433 is not trusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate of the database at db.example:5433 is not trusted'],
  ['57P03', 'starting or stopping'],
])('%s is explained in one line without the password', (code, text, message = '') => {
  expect(faultOf(code, message)).toContain(text);
  expect(faultOf(code, message)).not.toMatch(/s3cret|\n/);
});

test('a database that wants TLS is told apart from a wrong password, and a fault of ours is not explained', () => {
  expect(faultOf('28000', 'no pg_hba.conf entry for host "1.2.3.4", no encryption')).toContain('sslmode=verify-full');
  expect(faultOf('42601')).toBeNull();
});

test('the parameters of TLS leave the address, and mean what they mean to libpq', () => {
  const of = (query: string) => connectionTo(`postgres://db.example/x?${query}`);

  expect(of('')).toEqual({ url: 'postgres://db.example/x?', ssl: false });
  expect(of('sslmode=disable')).toEqual({ url: 'postgres://db.example/x', ssl: false });
  expect(of('sslmode=require').ssl).toEqual({ rejectUnauthorized: false });
  expect(of('sslmode=verify-full').ssl).toEqual({ host: 'db.example', ca: undefined });
  expect(of('sslmode=verify-full&sslrootcert=package.json')).toMatchObject({
    url: 'postgres://db.example/x',
    ssl: { host: 'db.example', ca: expect.stringContaining('altavoz') },
  });
  for (const mode of ['require', 'verify-ca'])
    expect(of(`sslmode=${mode}&sslrootcert=package.json`).ssl).toMatchObject({
      ca: expect.any(String),
      checkServerIdentity: expect.any(Function),
    });
});

test('a server that is too old, in another encoding or without rights is refused', () => {
  const rights = { maySetUp: true, isReadOnly: false };
  const rest = { identity: '5 2026', isEncrypted: true, now: new Date() };
  const facts = { version: '17.5', major: 17, encoding: 'UTF8', ...rights, ...rest };

  expect(serverProblems({ ...facts, version: '15.1', major: 15 })).toEqual([]);
  expect(serverProblems({ ...facts, version: '14.9', major: 14, encoding: 'SQL_ASCII', maySetUp: false })).toEqual([
    'Postgres 14.9 is too old: 15 or later is needed',
    'the database has the encoding SQL_ASCII: create it with UTF8',
    expect.stringContaining('may not create schemas'),
  ]);
});
