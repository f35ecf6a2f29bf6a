import { selectStore } from '../adapters/storage/select-store';
import type { Env } from '../env/read';
import { readAgentsFile } from '../runtime/agents-file';
import { assertDatabase, assertDataDir } from '../runtime/check-start';
import { openDatabase } from '../runtime/open-runtime';
import { checkDatabase } from './doctor-database';
import {
  checkCertificate,
  checkNames,
  checkSender,
  checkSite,
  checkSmtpServer,
  checkStorage,
  publicHosts,
} from './doctor-outside';
import { checkPooler } from './doctor-pooler';
import { checkSpeech, checkSpotify } from './doctor-speech';
import { checkStripe } from './doctor-stripe';
import { checkVat } from './doctor-vat';
import { type Finding, ok, problem, warning } from './finding';
import { type Outside, realOutside } from './outside';

const OLDEST_NODE = [20, 19] as const;

/**
 * `npm run admin -- doctor`: runs every check and changes nothing. Unlike other commands it does not migrate, and
 * explains why the database can't be opened. @returns the exit code: 1 if there is a problem
 */
export async function runDoctor(env: Env, argv: string[], outside: Outside = realOutside): Promise<number> {
  const findings = await examineInstallation(env, outside);
  process.stdout.write(argv.includes('--json') ? `${JSON.stringify(findings, null, 2)}\n` : linesOf(findings));
  return findings.some(({ state }) => state === 'problem') ? 1 : 0;
}

export async function examineInstallation(env: Env, outside: Outside): Promise<Finding[]> {
  const { appUrl } = env.urls;
  const { protocol, port } = new URL(appUrl);
  const hosts = publicHosts(env);
  const store = () => selectStore(env.storage, () => '');
  const found = await Promise.all([
    checkSettings(env),
    attemptCheck('node', async () => checkNode(process.versions.node)),
    attemptCheck('data', async () => assertDataDir(env.dataDir).then(() => ok('data', `${env.dataDir} is writable`))),
    attemptCheck('agents', async () => checkAgents(env)),
    attemptCheck('database', () => checkDatabases(env, outside)),
    attemptCheck('storage', async () => checkStorage(await store(), env.storage.driver)),
    ...hosts.map((host) => attemptCheck('dns', () => checkNames(host, outside))),
    ...(protocol === 'https:'
      ? hosts.map((host) => attemptCheck('tls', () => checkCertificate(host, Number(port || 443), outside)))
      : []),
    attemptCheck('site', () => checkSite(appUrl, outside)),
    ...checksOfMail(env, outside),
    attemptCheck('stripe', () => checkPayments(env, outside)),
    attemptCheck('espeak', () => checkSpeech(env)),
    attemptCheck('spotify', () => checkSpotify(outside.spotify(env))),
  ]);
  return found.flat();
}

function checkSettings({ warnings, production, worker }: Env): Finding[] {
  const found = warnings.map((text) => warning('settings', text));
  if (production && worker === 'inline')
    found.push(
      warning('settings', 'WORKER is inline: this web process also runs the jobs. Set WORKER=off and start a worker'),
    );
  return found.length > 0 ? found : [ok('settings', 'nothing unusual')];
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  return isNew ? ok('node', version) : problem('node', `${version}: ${OLDEST_NODE.join('.')} or later is needed`);
}

function checkAgents({ agentsFile }: Env): Finding[] {
  if (agentsFile === null) return [];
  const { agents, version } = readAgentsFile(agentsFile);
  return [ok('agents', `${agents.length} in ${agentsFile}${version ? `, version ${version}` : ''}`)];
}

async function checkDatabases(env: Env, { now }: Outside): Promise<Finding[]> {
  const { url, directUrl } = env.database;
  const { address, stop } = await openDatabase(env);
  try {
    const found = await checkDatabase(address.directUrl, now);
    if (!url && env.production)
      found.push(warning('database', 'the embedded server is for development: set DATABASE_URL'));
    if (found.some(({ check, state }) => check === 'database' && state === 'problem')) return found;
    found.push(...(await checkSales(env, { address: address.directUrl, now: now(), found })));
    if (!url) return found;
    const isDirect = url === directUrl;
    const pooler = await checkPooler(url, { prepare: env.database.prepare, isDirect });
    return [...found, ...pooler, ...(isDirect ? [] : await checkBothAddresses(env))];
  } finally {
    await stop();
  }
}

type Opened = { address: string; now: Date; found: Finding[] };

/** Only with all tables: pending migrations may bring some. */
async function checkSales({ support }: Env, { address, now, found }: Opened): Promise<Finding[]> {
  if (!found.some(({ check, state }) => check === 'migrations' && state === 'ok')) return [];
  return attemptCheck('vat', () => checkVat(address, support.operator, now));
}

/** What stops a start: `checkDatabase` knows one address only. */
async function checkBothAddresses({ database }: Env): Promise<Finding[]> {
  return assertDatabase(database).then(
    () => [],
    (error) => [problem('database', error.message)],
  );
}

function checksOfMail({ mail, production }: Env, outside: Outside): Promise<Finding[]>[] {
  const { smtpUrl, from } = mail;
  if (!smtpUrl) return production ? [Promise.resolve([problem('smtp', 'SMTP_URL is not set: emails stay here')])] : [];
  return [
    attemptCheck('smtp', () => checkSmtpServer(smtpUrl, outside)),
    attemptCheck('mail', () => checkSender(from, outside)),
  ];
}

async function checkPayments(env: Env, outside: Outside): Promise<Finding[]> {
  const payments = outside.payments(env);
  return payments === null ? [] : checkStripe(payments, { env, now: outside.now() });
}

/** A check that fails counts as a problem. */
async function attemptCheck(check: string, run: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await run()].flat();
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? `${message}: ${cause.message}` : message;
    return [problem(check, why.replace(/\s+/g, ' '))];
  }
}

/** Problems come last, because a terminal shows the end. */
export function linesOf(findings: Finding[]): string {
  const order = ['ok', 'manual', 'warning', 'problem'];
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  const counted = (state: 'problem' | 'warning') => `${count(state)} ${state}${count(state) === 1 ? '' : 's'}`;
  return [
    ...findings
      .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
      .map(
        ({ state, check, message }) => `${state.padEnd(8)} ${check.padEnd(10)} ${message.replace(/\p{C}/gu, ' ')}\n`,
      ),
    `\n${counted('problem')}, ${counted('warning')}, ${count('manual')} to check by hand\n`,
  ].join('');
}
