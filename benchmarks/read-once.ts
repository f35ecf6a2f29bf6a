/**
 * Reads one feed in its own process with one reader, and prints the milliseconds until it was read and the CPU time of
 * all threads: `read-once.js <reader> <file>`.
 */
import { readFileSync } from 'node:fs';
import { READERS } from './feed-readers';

const [name, file] = process.argv.slice(2);
const reader = READERS.find((one) => one.name === name)!;
const bytes = readFileSync(file!);
const startedAt = performance.now();
const before = process.cpuUsage();
await reader.read({ bytes, decode: () => bytes.toString() });
const { user, system } = process.cpuUsage(before);
const elapsedMs = performance.now() - startedAt;
process.stdout.write(JSON.stringify({ elapsedMs, cpuMs: (user + system) / 1000 }));
