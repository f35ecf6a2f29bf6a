import { Duplex, type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { bodyCut, bodyTooLarge, encodingUnknown } from './errors';

/** The body as it was before the server compressed it; refuses what is longer than allowed on either side. */
export function plainBody(
  body: Readable,
  encoding: string | null,
  { host, maxBytes }: { host: string; maxBytes: number },
): Readable {
  // it may have ended while we were busy, and would never tell again
  if (body.destroyed) throw bodyCut({ host });
  const stages = decoders(encoding, host);
  const limited: Duplex[] = [atMost(maxBytes, host), ...stages.flatMap((stage) => [stage, atMost(maxBytes, host)])];
  return limited.reduce<Readable>(linked(host), body);
}

/** Pipes and passes failures on, so that destroying the end closes the beginning too. */
function linked(host: string) {
  return (from: Readable, to: Duplex): Readable => {
    from.once('error', (error) => to.destroy(error));
    to.once('error', (error) => from.destroy(error));
    to.once('close', () => from.destroy());
    // a socket that closes early would leave the next stage waiting for ever
    from.once('close', () => {
      if (!from.readableEnded && !to.destroyed) to.destroy(bodyCut({ host }));
    });
    return from.pipe(to);
  };
}

const MOST_ENCODINGS = 2;

function decoders(encoding: string | null, host: string): Duplex[] {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MOST_ENCODINGS) throw encodingUnknown({ host });
  return names.reverse().map((name) => {
    if (name === 'gzip' || name === 'x-gzip') return createGunzip();
    if (name === 'br') return createBrotliDecompress();
    if (name === 'deflate') return inflate();
    throw encodingUnknown({ host });
  });
}

/** 'deflate' is zlib's format by the standard and the bare one by some servers; the first byte tells. */
function inflate(): Duplex {
  let inner: Transform | null = null;
  const outer = new Duplex({
    write(chunk: Buffer, _, done) {
      inner ??= begin((chunk[0]! & 0x0f) === 8 ? createInflate() : createInflateRaw());
      inner.write(chunk, done);
    },
    read: () => void inner?.resume(),
    final(done) {
      if (!inner) outer.push(null);
      inner?.end();
      done();
    },
    destroy(error, done) {
      inner?.destroy();
      done(error);
    },
  });
  function begin(stage: Transform): Transform {
    stage.on('data', (piece) => void (outer.push(piece) || stage.pause()));
    stage.once('end', () => outer.push(null));
    return stage.once('error', (error) => outer.destroy(error));
  }
  return outer;
}

function atMost(maxBytes: number, host: string): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(bodyTooLarge({ host }));
      else done(null, chunk);
    },
  });
}

/** All of it in memory; bounded by what plainBody lets through. */
export async function collected(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
