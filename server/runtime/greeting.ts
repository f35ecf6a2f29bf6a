import { DEMO_LOGINS } from '~/server/seed/cast';
import type { Env } from '../env/read';
import type { Runtime } from './runtime';

/**
 * Says where the site is, and the demo's logins if the demo exists. In production, every line of the output is JSON for
 * programs.
 */
export function announceReady(env: Env, { urls, log }: Pick<Runtime, 'urls' | 'log'>, hasDemo: boolean): void {
  if (env.production) log.info({ url: urls.app('/'), port: env.port, hasDemo }, 'web ready');
  else process.stdout.write(greeting(env, urls, hasDemo));
}

function greeting(env: Env, urls: Runtime['urls'], hasDemo: boolean): string {
  const lines = [
    '',
    `Altavoz is ready at ${urls.app('/')}`,
    `            also at http://localhost:${env.port}/`,
    ...(env.mail.smtpUrl ? [] : [`Emails are kept at  ${urls.app('/_dev/inbox')}`]),
    ...(env.payments.provider === 'sandbox' ? ['Payments use a sandbox: no real money moves'] : []),
    `Data is kept in     ${env.dataDir}`,
    ...(hasDemo ? ['', 'Demo logins:', ...DEMO_LOGINS.map(({ email, password }) => `${email} / ${password}`)] : []),
  ];
  return `${lines.join('\n')}\n\n`;
}
