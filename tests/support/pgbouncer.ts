import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransactionPooler } from './transaction-pooler';

/** The real PgBouncer in transaction mode, otherwise with its defaults. It refuses to run as root. */
export async function pgbouncer(
  program: string,
  databaseUrl: string,
  { poolSize = 20 } = {},
): Promise<TransactionPooler> {
  const directory = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-pgbouncer-'));
  await fs.chmod(directory, 0o755);
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const free = net.createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const own = (free.address() as net.AddressInfo).port;
  free.close();
  const file = path.join(directory, 'pgbouncer.ini');
  const database = `host=${hostname} port=${port} user=${username} password=${password} dbname=${pathname.slice(1)}`;
  const lines = [
    '[databases]',
    `${pathname.slice(1)} = ${database}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = ${poolSize}\nmax_client_conn = 1000`,
  ];
  await fs.writeFile(file, `${lines.join('\n')}\n`);
  const child = spawn(program, [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' });
  const isListening = () =>
    once(net.connect(own, '127.0.0.1'), 'connect').then(
      ([socket]) => socket,
      () => false,
    );
  for (let i = 0; i < 50 && (await isListening()) === false; i += 1) await sleep(100);
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    async close() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await fs.rm(directory, { recursive: true });
    },
  };
}
