import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Period } from '../base/time';

/** The kinds of settings. Each reads the text of one environment variable; its message completes "{NAME} …". */

export const text = z.string();

/** `0` or `1`, or a common word for it. */
export const flag = z
  .enum(['0', '1', 'false', 'true', 'off', 'on', 'no', 'yes'], 'must be 0 or 1')
  .transform((word) => ['1', 'true', 'on', 'yes'].includes(word));

export const oneOf = <const Words extends readonly string[]>(...words: Words) =>
  z.enum(words, `must be ${words.join(' or ')}`);

export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((number) => number >= min && number <= max, message);
}

/** @param protocols the accepted ones, such as `https:` */
export function address(...protocols: string[]) {
  return z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must begin with ${protocols.join('// or ')}//`,
    );
}

/** A URL that paths are appended to, without a trailing slash. */
export const baseAddress = address('http:', 'https:').transform((text) => text.replace(/\/+$/, ''));

/** Words separated by commas or spaces. */
export const list = text.transform((words) => words.split(/[\s,]+/).filter((word) => word !== ''));

const PERIOD = /^(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}Z)?)\/(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}Z)?)?$/;

function periodIn(word: string): Period | null {
  const [, from, until] = PERIOD.exec(word) ?? [];
  if (!from) return null;
  const period = { from: new Date(from), until: until ? new Date(until) : null };
  const isOrdered = period.until === null || period.from < period.until;
  return Number.isNaN(period.from.getTime()) || !isOrdered ? null : period;
}

/** `2027-01-01/2027-09-14T10:30Z, 2029-01-01/`: in UTC; the second moment is the first one after the period. */
export const periods = list
  .refine((words) => words.every(periodIn), 'must list periods such as 2027-01-01/2027-09-14T10:30Z or 2027-01-01/')
  .transform((words) => words.flatMap((word) => periodIn(word) ?? []));

/** `https://app.example, https://other.example`, or `*`. */
export const origins = list.refine(
  (words) => words.every((word) => word === '*' || (URL.canParse(word) && new URL(word).origin === word)),
  'must list origins such as https://app.example, or be *',
);

/** The absolute path of a file. */
export const readableFile = z
  .string()
  .refine((file) => isFile(file, fs.constants.R_OK), 'must be the path of a file that this user may read')
  .transform((file) => path.resolve(file));

/** The absolute path of an executable file. */
export const program = z
  .string()
  .refine((file) => isFile(file, fs.constants.X_OK), 'must be the path of a program that this user may run')
  .transform((file) => path.resolve(file));

/** The path of a program that this user may run; null if no folder of `PATH` has it. */
export function programOnPath(name: string): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.resolve(folder, name)).find((file) => isFile(file, fs.constants.X_OK)) ?? null;
}

function isFile(file: string, mode: number): boolean {
  try {
    fs.accessSync(file, mode);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
