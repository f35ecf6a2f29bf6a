import { z } from 'zod';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { translate } from '../base/messages';
import type { Operator } from '../domain/operators/record-operation';
import type { Env } from '../env/read';
import { OPERATOR_LIMITS } from '../limits/operators';
import type { Ctx } from '../runtime/ctx';

/** The context of a command. `operator`: the person who runs it, for the audit trail. */
export type Admin = { ctx: Ctx; env: Env; operator: Operator };
export type CommandOptions = Record<string, string | undefined>;
export type Cell = string | number | null;
/** The output of a command: a table, or an array of objects with `--json`. */
export type CommandOutput = Record<string, Cell>[];

/**
 * One command: `npm run admin -- {group} {name} {arguments} {options}`. A verb of the domain does the work; it records
 * the operator in the transaction of the change (operators/record-operation.ts). `options`: their names, each with a
 * value.
 */
export type Command = {
  usage: string;
  options?: string[];
  run(admin: Admin, args: string[], options: CommandOptions): Promise<CommandOutput>;
};
export type CommandGroup = Record<string, Command>;

/** The texts of the command line, which is in English. */
export const words = (key: string): string => translate(DEFAULT_LANGUAGE, key);

/** Thrown for a command with wrong syntax. */
export class UsageError extends Error {}

/** The reason for a change; the people whom it affects also read it. @throws UsageError */
export function requireReason({ reason }: CommandOptions): string {
  const parsed = z.string().trim().min(1).max(OPERATOR_LIMITS.reasonLength).safeParse(reason);
  if (parsed.success) return parsed.data;
  throw new UsageError(`--reason needs a text of at most ${OPERATOR_LIMITS.reasonLength} characters`);
}

/** @throws UsageError unless there is at least one id, and each is a UUID */
export function requireIds(args: string[]): string[] {
  const parsed = z.array(z.uuid()).min(1).safeParse(args);
  if (parsed.success) return parsed.data;
  throw new UsageError('expected one or several IDs, as “list” prints them');
}

/** @throws UsageError unless there is exactly one argument, a number */
export function requireRowId(args: string[]): number {
  const [text = '', ...others] = args;
  if (others.length === 0 && /^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError('expected one ID, as “search” or “list” prints it');
}

/** The words to search for; empty if there are none. @throws UsageError */
export function wordsIn(args: string[]): string {
  const words = args.join(' ').trim();
  if (words.length <= OPERATOR_LIMITS.searchLength) return words;
  throw new UsageError(`at most ${OPERATOR_LIMITS.searchLength} characters`);
}

/** A table of facts, one per line. */
export const factsOf = (facts: Record<string, Cell>): CommandOutput =>
  Object.entries(facts).map(([what, value]) => ({ what, value }));

export const timeCell = (at: Date | null): string | null => at?.toISOString() ?? null;

type Operation = { at: Date; operator: string; action: string; details: Record<string, Cell> };

/** The steps of operators, below the facts about an object. */
export const operationLines = (operations: Operation[]): CommandOutput =>
  operations.map(({ at, operator, action, details }) => ({
    what: action,
    value: [at.toISOString(), operator, details.reason].filter(Boolean).join(' '),
  }));
