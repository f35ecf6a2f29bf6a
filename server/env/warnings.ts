import type { UrlSettings } from '../base/urls';
import type { DatabaseSettings } from './database';
import type { HttpSettings } from './http';
import type { MailSettings } from './mail';
import type { BankSettings } from './operator';
import type { ProcessSettings } from './process';
import type { StorageSettings } from './storage';

type Settings = { bank: BankSettings | null } & Pick<ProcessSettings, 'production'> &
  Pick<HttpSettings, 'trustedProxies' | 'metricsToken'> & {
    urls: UrlSettings;
    database: DatabaseSettings;
    mail: MailSettings;
    storage: StorageSettings;
  };

/** Settings that work but are probably mistakes: logged at every start, and listed by the doctor. */
export function settingWarnings(env: Settings): string[] {
  if (!env.production) return [];
  const { protocol } = new URL(env.urls.appUrl);
  return [
    ...(protocol === 'https:' && env.trustedProxies === 0
      ? [
          'TRUST_PROXY is 0, but a proxy must be terminating TLS for APP_URL: all visitors share its rate limits. Set it to the number of proxies',
        ]
      : []),
    ...(env.metricsToken && env.metricsToken.length < 16 ? ['METRICS_TOKEN is short: use `openssl rand -hex 16`'] : []),
    ...(isWeak(env.database.url) ? ['DATABASE_URL has a password that can be guessed'] : []),
    ...(isWeak(env.mail.smtpUrl) ? ['SMTP_URL has the password of the example'] : []),
    ...(env.bank && !env.bank.address
      ? ['OPERATOR_TOWN is missing: banks outside the European Economic Area refuse transfers without an address']
      : []),
    ...(env.storage.driver === 's3' &&
    /^(?:minioadmin|password|secret|changeme)$/i.test(env.storage.s3.credentials?.secretAccessKey ?? '')
      ? ['S3_SECRET_ACCESS_KEY can be guessed']
      : []),
  ];
}

/** An address without a password relies on a certificate, a socket or a trusted network. */
function isWeak(address: string | null): boolean {
  if (!address) return false;
  const { username, password } = new URL(address);
  return (
    password !== '' &&
    (password === username || /^(?:password|postgres|altavoz|changeme|secret|admin|root)$/i.test(password))
  );
}
