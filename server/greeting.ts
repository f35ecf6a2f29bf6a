import { DEMO_LOGINS } from '~/server/seed/cast';
import type { Env } from './env/read';
import type { Runtime } from './runtime';

/** What a start prints: where everything is, and with the demo data the log-ins, a creator first. */
export function greeting(env: Env, { urls }: Runtime): string {
  const lines = [
    '',
    `Altavoz is ready at ${urls.app('/')}`,
    `            also at http://localhost:${env.port}/`,
    ...(env.mail.smtpUrl ? [] : [`Mail is kept at     ${urls.app('/_dev/inbox')}`]),
    ...(env.payments.provider === 'sandbox' ? ['Payments are a sandbox: no real money moves'] : []),
    ...(env.production ? [] : [`Data is kept in     ${env.dataDir}`]),
    ...(env.seedDemo
      ? ['', 'Demo log-ins:', ...DEMO_LOGINS.map(({ email, password }) => `${email} / ${password}`)]
      : []),
  ];
  return `${lines.join('\n')}\n\n`;
}
