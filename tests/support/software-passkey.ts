import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Place = { origin: string; challenge: string };
type Asked = { origin: string; options: { challenge: string } };

const USER_PRESENT_AND_VERIFIED = 0x05;
const NEW_CREDENTIAL = 0x40;

/** A passkey in software. It answers like an authenticator that has verified its user, for any origin. */
export function softwarePasskey(rpId = 'altavoz.localhost') {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const type = 'public-key' as const;
  const common = { id: id.toString('base64url'), rawId: id.toString('base64url'), type, clientExtensionResults: {} };
  let counter = 0;

  function authenticatorData(flags: number): Buffer {
    counter += 1;
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags);
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), tail]);
  }

  return {
    id: common.id,
    /** The answer to the options of a registration. */
    create({ origin, options }: Asked) {
      const length = Buffer.from([0, id.length]);
      const key = coseKey(Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url'));
      const data = authenticatorData(USER_PRESENT_AND_VERIFIED | NEW_CREDENTIAL);
      const attested = Buffer.concat([data, Buffer.alloc(16), length, id, key]);
      const clientDataJSON = clientData('webauthn.create', { origin, challenge: options.challenge });
      return {
        ...common,
        response: {
          clientDataJSON: clientDataJSON.toString('base64url'),
          attestationObject: attestation(attested).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** The answer to the options of a login. */
    get({ origin, options }: Asked) {
      const data = authenticatorData(USER_PRESENT_AND_VERIFIED);
      const clientDataJSON = clientData('webauthn.get', { origin, challenge: options.challenge });
      const signed = Buffer.concat([data, createHash('sha256').update(clientDataJSON).digest()]);
      return {
        ...common,
        response: {
          clientDataJSON: clientDataJSON.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      };
    },
  };
}

const clientData = (type: string, { origin, challenge }: Place) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

/** CBOR: `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`, an ES256 key. */
const coseKey = (x: Buffer, y: Buffer) =>
  Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y]);

/** CBOR: `{fmt: 'none', attStmt: {}, authData: data}`. */
function attestation(data: Buffer): Buffer {
  const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
  const bytes = Buffer.concat([Buffer.from([0x58, data.length]), data]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), bytes],
  ]);
}
