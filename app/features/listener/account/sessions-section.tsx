import { Badge } from '@mantine/core';
import { Button } from '~/app/components/button';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import { formatDateTime } from '~/app/lib/formats';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { SessionView } from '~/server/domain/accounts/logins/sessions';
import classes from './settings.module.css';

/** The devices that are logged in. Users can log out one device, or all others. */
export function SessionsSection({ sessions }: { sessions: SessionView[] }) {
  const { t } = useTranslation('account');
  return (
    <Section title={t('sessions.title')}>
      <ul className={classes.rows}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Form method="post">
          <Button type="submit" name="intent" value="endOthers" variant="default">
            {t('sessions.endOthers')}
          </Button>
        </Form>
      )}
    </Section>
  );
}

function SessionRow({ session }: { session: SessionView }) {
  const { t, locale } = useTranslation('account');
  const timeZone = useBrowserTimeZone() ?? 'UTC';
  const { id, isCurrent, channel, device, country } = session;
  const name = [device.browser, device.system].filter(Boolean).join(' · ') || t('device.unknown');
  const lastUsed = formatDateTime(new Date(session.lastUsedAt), locale, timeZone, true);
  return (
    <li className={classes.row}>
      <div>
        <p className={classes.name}>
          {name}{' '}
          {channel === 'rest' && (
            <Badge component="span" variant="light">
              {t('sessions.app')}
            </Badge>
          )}
        </p>
        <p className={classes.fact}>
          {[isCurrent ? t('sessions.current') : t('sessions.lastUsed', { date: lastUsed }), country]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {!isCurrent && (
        <Form method="post">
          <input type="hidden" name="id" value={id} />
          <IntentButton intent="endSession">{t('sessions.end')}</IntentButton>
        </Form>
      )}
    </li>
  );
}
