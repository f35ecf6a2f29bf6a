import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { translate } from '../base/messages';
import { describeProblem } from '../base/problems';
import type { Env } from '../env/read';
import { OPERATOR_LIMITS } from '../limits/operators';
import { openRuntime } from '../runtime/open-runtime';
import { systemCtx } from '../runtime/runtime';
import type { Log } from '../watching/log';
import { affiliateCommands } from './affiliate-commands';
import { agentCommands } from './agent-commands';
import { announcementCommands } from './announcement-commands';
import { bookCommands, disputeCommands } from './book-commands';
import { type Command, type CommandGroup, type CommandOptions, type CommandOutput, UsageError } from './command';
import { creatorCommands } from './creator-commands';
import { runDoctor } from './doctor-commands';
import { importCommands } from './import-commands';
import { incidentCommands } from './incident-commands';
import { jobCommands } from './job-commands';
import { mailCommands } from './mail-commands';
import { operatorCommands } from './operator-commands';
import { payoutCommands } from './payout-commands';
import { reportCommands } from './report-commands';
import { statisticsCommands } from './statistics-commands';
import { stripeCommands } from './stripe-commands';
import { subscriberCommands } from './subscriber-commands';
import { switchCommands } from './switch-commands';
import { restoreCommands, takeDownCommands } from './take-down-commands';
import { transcriberCommands } from './transcriber-commands';
import { userCommands } from './user-commands';
import { vatCommands } from './vat-commands';
import { warningCommands } from './warning-commands';

/** The commands of operators, by group. */
const GROUPS: Record<string, CommandGroup> = {
  users: userCommands,
  creators: creatorCommands,
  jobs: jobCommands,
  imports: importCommands,
  mail: mailCommands,
  payouts: payoutCommands,
  books: bookCommands,
  disputes: disputeCommands,
  warnings: warningCommands,
  subscribers: subscriberCommands,
  operators: operatorCommands,
  flags: switchCommands,
  announcements: announcementCommands,
  incidents: incidentCommands,
  reports: reportCommands,
  'take-down': takeDownCommands,
  restore: restoreCommands,
  statistics: statisticsCommands,
  vat: vatCommands,
  stripe: stripeCommands,
  affiliates: affiliateCommands,
  agents: agentCommands,
  transcriber: transcriberCommands,
};

/**
 * `npm run admin -- payouts list`, for operators; also while the server runs. `--as`: the operator's name, by default
 * the account of the operating system. `--json`: for programs. @returns the exit code
 */
export async function runAdmin(env: Env, log: Log, argv: string[]): Promise<number> {
  const words = argv.filter((arg) => arg !== '--admin');
  if (words[0] === 'doctor') return runDoctor(env, words);
  const parsed = parseCommand(words);
  if (parsed instanceof UsageError) return fail(`${parsed.message}\n${usageOf()}`);
  const { command, args, options, isJson } = parsed;
  const { runtime, close } = await openRuntime(env, log, { runsJobs: false });
  const admin = { ctx: systemCtx(runtime, 'operator'), env, operator: { name: operatorName(options.as) } };
  try {
    const output = await command.run(admin, args, options);
    process.stdout.write(isJson ? `${JSON.stringify(output, null, 2)}\n` : tableOf(output));
    return 0;
  } catch (error) {
    if (error instanceof UsageError) return fail(`${error.message}\n`);
    const { code, params, unexpected } = describeProblem(error);
    if (unexpected && !isFileFault(error)) throw error;
    return fail(`${unexpected ? (error as Error).message : translate(DEFAULT_LANGUAGE, `errors:${code}`, params)}\n`);
  } finally {
    await close();
  }
}

type Parsed = { command: Command; args: string[]; options: CommandOptions; isJson: boolean };

/** The typed command with its arguments; an error if it is written wrongly. */
export function parseCommand(argv: string[]): Parsed | UsageError {
  const [group = '', name = '', ...rest] = argv;
  const command = Object.hasOwn(GROUPS, group) && Object.hasOwn(GROUPS[group]!, name) ? GROUPS[group]![name]! : null;
  if (!command) return new UsageError(argv.length === 0 ? 'Commands:' : `unknown command: ${group} ${name}`.trim());
  const own = Object.fromEntries(['as', ...(command.options ?? [])].map((key) => [key, { type: 'string' as const }]));
  try {
    const config = { ...own, json: { type: 'boolean' as const } };
    const { values, positionals } = parseArgs({ args: rest.map(shielded), options: config, allowPositionals: true });
    const { json, ...options } = values as CommandOptions & { json?: unknown };
    return { command, args: positionals.map(unshielded), options, isJson: json === true };
  } catch (error) {
    return new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Protects amounts such as -5.00 from being read as options. No argument of a process contains this character. */
const SHIELD = '\0';
const shielded = (arg: string): string => (/^-\d/.test(arg) ? SHIELD + arg : arg);
const unshielded = (arg: string): string => arg.replace(SHIELD, '');

const operatorName = (given: string | undefined): string =>
  (given?.trim() || userInfo().username).slice(0, OPERATOR_LIMITS.nameLength);

const usageOf = (): string =>
  Object.entries(GROUPS)
    .flatMap(([group, commands]) =>
      Object.values(commands).map(({ usage }) => `  npm run admin -- ${group} ${usage}\n`),
    )
    .join('')
    .concat('  npm run admin -- doctor\nEvery command takes --as NAME and --json.\n');

/** Whether a file caused the error, for example because it already exists. */
const isFileFault = (error: unknown): boolean => error instanceof Error && 'syscall' in error && 'path' in error;

function fail(text: string): number {
  process.stderr.write(text);
  return 1;
}

/** Aligned columns below their names. */
function tableOf(rows: CommandOutput): string {
  const [first] = rows;
  if (!first) return 'Nothing.\n';
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => withoutControls(row[name])))];
  const widths = names.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)));
  return cells
    .map(
      (line) =>
        `${line
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** Text that creators typed must not control a terminal. */
const withoutControls = (cell: string | number | null | undefined): string =>
  String(cell ?? '').replace(/\p{C}/gu, ' ');
