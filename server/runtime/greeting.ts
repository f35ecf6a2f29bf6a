import { DEMO_LOGINS } from '~/server/seed/cast';
import type { Env } from '../env/read';
import type { Runtime } from './runtime';

/** The output at startup: addresses, and the demo logins if the demo exists. */
export function greeting(env: Env, { urls }: Pick<Runtime, 'urls'>, hasDemo: boolean): string {
  const lines = [
    '',
    `Altavoz is ready at ${urls.app('/')}`,
    `            also at http://localhost:${env.port}/`,
    ...(env.mail.smtpUrl ? [] : [`Emails are kept at  ${urls.app('/_dev/inbox')}`]),
    ...(env.payments.provider === 'sandbox' ? ['Payments use a sandbox: no real money moves'] : []),
    ...(env.production ? [] : [`Data is kept in     ${env.dataDir}`]),
    ...(hasDemo ? ['', 'Demo logins:', ...DEMO_LOGINS.map(({ email, password }) => `${email} / ${password}`)] : []),
  ];
  return `${lines.join('\n')}\n\n`;
}
