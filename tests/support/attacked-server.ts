import { afterAll } from 'vitest';
import { createLog } from '~/server/watching/log';
import { startWeb } from '~/server/web';
import { cast } from './cast';
import { pagesBuild } from './pages-build';
import { sendRaw } from './raw-http';

/** The host that the server answers as the app. */
export const APP_HOST = 'altavoz.localhost:3000';

/** The complete web server on its own port, a client that sends any bytes, and the logged errors and warnings. */
export async function attackedServer(settings: Record<string, string> = {}) {
  const staged = await cast({ settings });
  const { runtime, env, url: directUrl, inbox, stripeSandbox, identitySandbox, spotifySandbox } = staged;
  const lines: string[] = [];
  // the log level of a production process, so that every fault leaves a line
  Object.assign(runtime, {
    log: createLog('info', { write: (text: string) => void lines.push(...text.trimEnd().split('\n')) }),
  });
  const sandboxes = { inbox, stripeSandbox, identitySandbox, spotifySandbox, dnsZone: null };
  const opened = { runtime, jobsRuntime: runtime, directUrl, ...sandboxes, close: async () => {} };
  const onAnyPort = { ...env, port: 0, host: '127.0.0.1' };
  const web = await startWeb(onAnyPort, opened, { development: false, build: pagesBuild() });
  afterAll(() => web.close());
  const faults = () => lines.filter((line) => /"level":"(?:error|warn)"/.test(line));
  return {
    ...staged,
    port: web.port,
    lines,
    faults,
    sendRaw: (...parts: (string | Buffer)[]) => sendRaw(web.port, parts),
  };
}
