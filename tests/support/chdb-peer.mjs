/**
 * A ClickHouse server for tests: answers the HTTP requests of @clickhouse/client with chdb, which is the engine of
 * ClickHouse as a library. `node chdb-peer.mjs <path of chdb> <data folder>` prints its port.
 */
import http from 'node:http';
import { pathToFileURL } from 'node:url';

const [chdb, folder] = process.argv.slice(2);
const { Session } = await import(pathToFileURL(chdb).href);
const session = new Session(folder);
const NOT_SETTINGS = new Set([
  'query',
  'query_id',
  'database',
  'session_id',
  'role',
  'default_format',
  'enable_http_compression',
]);

const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** chdb takes parameters and settings by statements only, so requests run one after the other. */
function answer(params, body) {
  const database = params.get('database') ?? 'default';
  session.query(`create database if not exists ${database}`);
  session.query(`use ${database}`);
  const settings = [...params].filter(([name]) => !NOT_SETTINGS.has(name));
  for (const [name, value] of settings) if (name.startsWith('param_')) session.query(`set ${name} = ${quoted(value)}`);
  const changes = settings
    .filter(([name]) => !name.startsWith('param_'))
    .map(([name, value]) => `${name} = ${quoted(value)}`);
  const query = params.get('query');
  if (!query) return session.query(withSettings(body, changes), 'JSONEachRow');
  // an insert has its settings before its format, and its rows after it
  return session.query(`${withSettings(query, changes)}\n${body}`, 'JSONEachRow');
}

function withSettings(query, changes) {
  const [, statement, format = ''] = /^([\s\S]*?)(\s+FORMAT\s+\w+\s*)?$/.exec(query.trim());
  const isCommand = /^create/i.test(statement);
  return isCommand || changes.length === 0
    ? `${statement}${format}`
    : `${statement} settings ${changes.join(', ')}${format}`;
}

const server = http.createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://peer');
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (pathname === '/ping') return response.end('Ok.\n');
  try {
    response.setHeader('content-type', 'application/x-ndjson');
    response.end(answer(searchParams, Buffer.concat(chunks).toString()));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error.message));
  }
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
