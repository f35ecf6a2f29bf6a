import { Duplex, type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { bodyCut, bodyTooLarge, encodingUnknown } from './errors';

/** Decompresses a body. Rejects one that is too long before or after decompression. */
export function decompress(
  body: Readable,
  encoding: string | null,
  { host, maxBytes }: { host: string; maxBytes: number },
): Readable {
  // a body that has ended already emits no more events
  if (body.destroyed) throw bodyCut({ host });
  const stages = decoders(encoding, host);
  const stagesWithLimits: Duplex[] = [
    limitBytes(maxBytes, host),
    ...stages.flatMap((stage) => [stage, limitBytes(maxBytes, host)]),
  ];
  return stagesWithLimits.reduce<Readable>(connectTo(host), body);
}

/** Pipes streams and forwards errors in both directions, so destroying the last stream closes the first. */
function connectTo(host: string) {
  return (from: Readable, to: Duplex): Readable => {
    from.once('error', (error) => to.destroy(error));
    to.once('error', (error) => from.destroy(error));
    to.once('close', () => from.destroy());
    // without this, the next stream would wait forever after the socket closes early
    from.once('close', () => {
      if (!from.readableEnded && !to.destroyed) to.destroy(bodyCut({ host }));
    });
    return from.pipe(to);
  };
}

const MAX_ENCODINGS = 2;

function decoders(encoding: string | null, host: string): Duplex[] {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_ENCODINGS) throw encodingUnknown({ host });
  return names.reverse().map((name) => {
    if (name === 'gzip' || name === 'x-gzip') return createGunzip();
    if (name === 'br') return createBrotliDecompress();
    if (name === 'deflate') return inflate();
    throw encodingUnknown({ host });
  });
}

/** 'deflate' is the zlib format in the standard, but raw deflate on some servers. The first byte distinguishes them. */
function inflate(): Duplex {
  let inner: Transform | null = null;
  const outer = new Duplex({
    write(chunk: Buffer, _, done) {
      inner ??= connectInner((chunk[0]! & 0x0f) === 8 ? createInflate() : createInflateRaw());
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
  function connectInner(stage: Transform): Transform {
    stage.on('data', (chunk) => void (outer.push(chunk) || stage.pause()));
    stage.once('end', () => outer.push(null));
    return stage.once('error', (error) => outer.destroy(error));
  }
  return outer;
}

function limitBytes(maxBytes: number, host: string): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(bodyTooLarge({ host }));
      else done(null, chunk);
    },
  });
}

/** Reads a whole body into memory; `decompress` has limited its size. */
export async function readAll(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
