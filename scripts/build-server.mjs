// Runs after Remix's build, which empties build/: bundles the code for Node (web and worker), and compresses the files
// for browsers, once and at the highest level.
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { bundle, ENTRIES } from './bundle.mjs';

const ASSETS = 'build/client/assets';
const TEXT = /\.(?:js|css|svg|json)$/;
/** Smaller files fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1000;

async function compressFile(file) {
  const bytes = fs.readFileSync(file);
  if (bytes.length < MIN_COMPRESSED_BYTES) return;
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes), promisify(gzip)(bytes, { level: 9 })]);
  fs.writeFileSync(`${file}.br`, br);
  fs.writeFileSync(`${file}.gz`, gz);
}

const files = fs.readdirSync(ASSETS).filter((name) => TEXT.test(name));
const bundled = bundle(ENTRIES, 'build/main');
await Promise.all([bundled, ...files.map((name) => compressFile(path.join(ASSETS, name)))]);
