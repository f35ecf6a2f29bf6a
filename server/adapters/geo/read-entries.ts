import { Reader, type Response } from 'mmdb-lib';

/** Reads the entries of a MaxMind DB file. Loaded at the first look-up. */
export function readEntries<Entry extends Response>(file: Buffer): Reader<Entry> {
  return new Reader<Entry>(file);
}
