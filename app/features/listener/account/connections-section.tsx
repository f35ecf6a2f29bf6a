import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import { formatDateTime } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { PROVIDER_NAMES } from '~/server/domain/accounts/base/kinds';
import type { Connection, Connections } from '~/server/domain/accounts/logins/identities';
import classes from './settings.module.css';

type Props = { connections: Connections; notice: string | null };

/**
 * The other services that the user can log in with. Renders nothing if the operator has set up none and the user has
 * connected none.
 */
export function ConnectionsSection({ connections, notice }: Props) {
  const { t, locale } = useTranslation('account');
  const timeZone = useBrowserTimeZone() ?? 'UTC';
  const { connected, available, signedUpWith, signedUpAt } = connections;
  const provider = signedUpWith === 'password' || signedUpWith === 'email' ? null : PROVIDER_NAMES[signedUpWith];
  if (connected.length + available.length === 0 && provider === null) return null;
  const date = formatDateTime(new Date(signedUpAt), locale, timeZone);
  return (
    <Section title={t('connections.title')}>
      {notice && (
        <Alert color="red" variant="light" role="alert">
          {notice}
        </Alert>
      )}
      {provider && <p className={classes.fact}>{t('connections.signedUpWith', { provider, date })}</p>}
      <ul className={classes.rows}>
        {connected.map((connection) => (
          <ConnectedRow key={connection.provider} connection={connection} />
        ))}
        {available.map((provider) => (
          <AvailableRow key={provider} provider={provider} />
        ))}
      </ul>
    </Section>
  );
}

function ConnectedRow({ connection }: { connection: Connection }) {
  const { t } = useTranslation('account');
  const { provider, email, isOnlyWay } = connection;
  const service = { provider: PROVIDER_NAMES[provider] };
  return (
    <li className={classes.row}>
      <div>
        <p className={classes.name}>{service.provider}</p>
        <p className={classes.fact}>{email ? t('connections.as', { email }) : t('connections.connected')}</p>
        {isOnlyWay && <p className={classes.fact}>{t('connections.onlyWay')}</p>}
      </div>
      {!isOnlyWay && (
        <Form method="post">
          <input type="hidden" name="provider" value={provider} />
          <IntentButton intent="unlink">{t('connections.disconnect', service)}</IntentButton>
        </Form>
      )}
    </li>
  );
}

function AvailableRow({ provider }: { provider: keyof typeof PROVIDER_NAMES }) {
  const { t } = useTranslation('account');
  const paths = usePaths();
  const service = { provider: PROVIDER_NAMES[provider] };
  return (
    <li className={classes.row}>
      <div>
        <p className={classes.name}>{service.provider}</p>
        <p className={classes.fact}>{t('connections.not')}</p>
      </div>
      <Button component="a" href={`${paths.login()}/${provider}?link`} variant="default" size="compact-md">
        {t('connections.connect', service)}
      </Button>
    </li>
  );
}
