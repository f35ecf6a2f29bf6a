import { IntentButton } from '~/app/components/intent-button';
import classes from '~/app/features/listener/account/settings.module.css';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import { formatDateTime } from '~/app/lib/formats';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ConnectionView } from '~/server/domain/apps/list-connections';
import { appTitle, scopeText } from './app-texts';

/** A row of the connected apps. */
export function ConnectedApp({ connection }: { connection: ConnectionView }) {
  const { t, locale } = useTranslation('apps');
  const timeZone = useBrowserTimeZone() ?? 'UTC';
  const { id, host, isLocal, scopes, audience, isOwn, person, createdAt, lastUsedAt } = connection;
  const name = appTitle(connection, t);
  const date = (at: Date) => formatDateTime(new Date(at), locale, timeZone, true);
  const facts = [
    t(`audience.${audience}`),
    !isLocal && host,
    isOwn ? t('connected', { date: date(createdAt) }) : t('connectedBy', { person, date: date(createdAt) }),
    lastUsedAt ? t('lastUsed', { date: date(lastUsedAt) }) : t('neverUsed'),
  ];
  return (
    <li className={classes.row}>
      <div>
        <p className={classes.name}>{name}</p>
        <p className={classes.fact}>{facts.filter(Boolean).join(' · ')}</p>
        <p className={classes.fact}>{scopes.map((scope) => scopeText(scope, audience, t)).join(' · ')}</p>
      </div>
      <Form method="post">
        <input type="hidden" name="id" value={id} />
        <IntentButton intent="disconnect" label={t('disconnectLabel', { name })}>
          {t('disconnect')}
        </IntentButton>
      </Form>
    </li>
  );
}
