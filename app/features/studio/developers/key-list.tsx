import { Disclosure } from '~/app/components/disclosure';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { Pill, type Tone } from '~/app/components/pill';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import { formatDateTime } from '~/app/lib/formats';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { KeyState } from '~/server/domain/developers/kinds';
import type { KeyView } from '~/server/domain/developers/list-keys';
import classes from './developers.module.css';

const TONES: Record<KeyState, Tone> = {
  active: 'good',
  replaced: 'coming',
  idle: 'waiting',
  expired: 'plain',
  revoked: 'plain',
};

/** The keys, with their last use; those that work can be revoked. */
export function KeyList({ keys }: { keys: KeyView[] }) {
  const { t } = useTranslation('developers');
  return (
    <Section title={t('keys.title')}>
      {keys.length === 0 ? (
        <p className={classes.fact}>{t('keys.none')}</p>
      ) : (
        <>
          <ul className={classes.rows}>
            {keys.map((key) => (
              <KeyRow key={key.id} value={key} />
            ))}
          </ul>
          <p className={classes.fact}>{t('revoke.help')}</p>
        </>
      )}
    </Section>
  );
}

function KeyRow({ value }: { value: KeyView }) {
  const { t, locale } = useTranslation('developers');
  const zone = useBrowserTimeZone() ?? 'UTC';
  const date = (at: Date | string) => formatDateTime(new Date(at), locale, zone, true);
  const { name, lastFour, state, scopes, createdBy, createdAt, expiresAt, lastUsedAt, lastUsedNetwork } = value;
  const used = lastUsedAt && t('keys.used', { date: date(lastUsedAt), network: lastUsedNetwork ?? '' });
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <p className={classes.name}>
          <strong dir="auto">{name}</strong> <code>{t('keys.ending', { lastFour })}</code>{' '}
          <Pill tone={TONES[state]}>{t(`state.${state}`)}</Pill>
        </p>
        <p className={classes.fact}>{scopes.join(', ')}</p>
        <p className={classes.fact}>
          {[
            t('keys.createdBy', { name: createdBy, date: date(createdAt) }),
            expiresAt && t('keys.until', { date: date(expiresAt) }),
            used ?? t('keys.unused'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <KeyActions value={value} />
    </li>
  );
}

function KeyActions({ value: { id, name, state } }: { value: KeyView }) {
  const { t } = useTranslation('developers');
  if (state === 'revoked' || state === 'expired') return null;
  return (
    <Disclosure button={t('revoke.open')} label={t('revoke.openOf', { name })} isDangerous>
      <p className={classes.fact}>{t('revoke.question', { name })}</p>
      <Form method="post">
        <input type="hidden" name="id" value={id} />
        <IntentButton intent="revoke" label={t('revoke.submitOf', { name })} isDangerous>
          {t('revoke.submit')}
        </IntentButton>
      </Form>
    </Disclosure>
  );
}
