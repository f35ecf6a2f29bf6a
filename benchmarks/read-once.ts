/** Reads one feed in its own process with one reader, and prints the CPU time of all threads: `read-once.js <reader> <file>`. */
import { readFileSync } from 'node:fs';
import { READERS } from './feed-readers';

const [name, file] = process.argv.slice(2);
const reader = READERS.find((one) => one.name === name)!;
const bytes = readFileSync(file!);
const before = process.cpuUsage();
await reader.read({ bytes, decode: () => bytes.toString() });
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1000));
