import { parseArgs } from 'node:util';
import { type AltavozClient, createClient } from '../client.js';
import { AltavozProblem } from '../problem.js';
import { freshToken, logInByBrowser, revoke } from './oauth.js';
import { publishFile } from './publish.js';
import { forgetLogin, type Login, readLogin, storeLogin } from './stored-login.js';
import { type Terminal, UsageError, withReachedHosts } from './terminal.js';

const HELP = `altavoz login --url https://altavoz.example   log in by the browser
altavoz login --url … --key                   log in with a key, which is asked for
altavoz shows                                 list your shows
altavoz episodes --show my-show               list the episodes of a show
altavoz publish episode.mp3 --show my-show    upload and publish; --at 2026-12-01T08:00, --draft, --name, --notes,
                                              --type public|private|trailer, --no-email
altavoz publish https://…/e.mp3 --show …      have it fetched and publish it
altavoz logout                                give the login back

Without a login, ALTAVOZ_URL and ALTAVOZ_KEY of the environment count.`;

const COMMANDS: Record<string, (terminal: Terminal, args: string[]) => Promise<void>> = {
  login: logIn,
  shows: listShows,
  episodes: listEpisodes,
  publish: async (terminal, args) =>
    publishFile({ terminal, client: await clientOf(terminal), findShow: showIdOf }, args),
  logout: logOut,
};

/** Runs one command. @returns the exit code */
export async function run(terminal: Terminal, [name = 'help', ...args]: string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    terminal.print(HELP);
    return name === 'help' ? 0 : 2;
  }
  try {
    await command(withReachedHosts(terminal), args);
    return 0;
  } catch (error) {
    if (!isExpected(error)) throw error;
    terminal.print(error.message);
    if (error instanceof AltavozProblem)
      for (const [field, messages] of Object.entries(error.errors)) terminal.print(`${field}: ${messages.join(' ')}`);
    return 1;
  }
}

/** `parseArgs` throws TypeErrors for options that it does not know. */
const isExpected = (error: unknown): error is Error =>
  error instanceof UsageError ||
  error instanceof AltavozProblem ||
  (error instanceof TypeError && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS'));

async function logIn(terminal: Terminal, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { url: { type: 'string' }, key: { type: 'boolean' } } });
  const url = urlOf(values.url ?? terminal.url);
  const login = values.key ? await logInByKey(terminal, url) : await logInByBrowser(terminal, url);
  const token = login.kind === 'key' ? login.key : login.accessToken;
  const client = createClient({ url, fetch: terminal.fetch, token });
  // a login that fails leaves the former one
  const { total } = await client.call('GET /shows', { query: { limit: 1 } });
  await storeLogin(terminal.folder, login);
  terminal.print(`Logged in. Shows: ${total}`);
}

function urlOf(given: string | undefined): string {
  if (!given || !URL.canParse(given))
    throw new UsageError('Name the installation: --url https://altavoz.example, or ALTAVOZ_URL in the environment');
  return given.replace(/\/$/, '');
}

/** As an argument, the key would stay in the shell's history. */
async function logInByKey(terminal: Terminal, url: string): Promise<Login> {
  const key = (await terminal.read('Key: ')).trim();
  if (!key) throw new UsageError('Paste the key, or send it: printf %s "$KEY" | altavoz login --key');
  return { kind: 'key', url, key };
}

async function logOut(terminal: Terminal): Promise<void> {
  const login = await readLogin(terminal.folder);
  if (!login) {
    await forgetLogin(terminal.folder);
    return terminal.print('You are not logged in.');
  }
  if (login.kind === 'app') await revoke(terminal, login);
  await forgetLogin(terminal.folder);
  terminal.print('Logged out.');
}

async function clientOf(terminal: Terminal): Promise<AltavozClient> {
  const { key } = terminal;
  if (key) return createClient({ url: urlOf(terminal.url), fetch: terminal.fetch, token: key });
  const login = await readLogin(terminal.folder);
  if (!login) throw new UsageError('Log in first: altavoz login --url https://…');
  return createClient({ url: login.url, fetch: terminal.fetch, token: () => freshToken(terminal) });
}

async function listShows(terminal: Terminal): Promise<void> {
  const client = await clientOf(terminal);
  for await (const { id, slug, name } of client.list('GET /shows')) terminal.print([id, slug, name].join('\t'));
}

async function listEpisodes(terminal: Terminal, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { show: { type: 'string' } } });
  const client = await clientOf(terminal);
  const params = { show_id: await showIdOf(client, values.show) };
  for await (const { id, status, release_date: at, name } of client.list('GET /shows/:show_id/episodes', { params }))
    terminal.print([id, status, at ?? '-', name].join('\t'));
}

/** The show with this slug, the last part of its address, or with this id. */
async function showIdOf(client: AltavozClient, named: string | undefined): Promise<number> {
  if (!named) throw new UsageError('Name the show: --show my-show');
  for await (const { id, slug } of client.list('GET /shows')) if (slug === named || String(id) === named) return id;
  throw new UsageError(`You have no show ${named}. altavoz shows lists them.`);
}
