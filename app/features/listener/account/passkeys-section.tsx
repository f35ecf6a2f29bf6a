import { TextInput } from '@mantine/core';
import { Button } from '~/app/components/button';
import { IntentButton } from '~/app/components/intent-button';
import { NeedsScript, Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { createPasskey } from '~/app/lib/passkeys';
import { mutateProcedure } from '~/app/lib/procedures';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { TWO_FACTOR } from '~/app/lib/two-factor';
import type { PasskeyView } from '~/server/domain/accounts/second-factors/passkeys';
import type { SecondFactorState } from '~/server/domain/accounts/settings/security-page';
import { useFormattedDay } from './formatted-day';
import { PasskeyAction } from './passkey-action';
import classes from './settings.module.css';

type Props = {
  state: SecondFactorState;
  /** Receives the recovery codes that come with the first second factor. */
  onRecoveryCodes: (codes: string[]) => void;
  failure?: FormFailure;
};

/** The account's passkeys: users can rename, delete and add passkeys. */
export function PasskeysSection({ state, onRecoveryCodes, failure }: Props) {
  const { t } = useTranslation('account');
  const mayChange = state.missingProof === null;

  async function add() {
    const answer = await createPasskey();
    const { recoveryCodes } = await mutateProcedure<{ recoveryCodes: string[] | null }>('accounts.addPasskey', answer);
    if (recoveryCodes) onRecoveryCodes(recoveryCodes);
  }

  return (
    <Section title={t('passkeys.title')}>
      <p className={classes.name}>{t('passkeys.lead')}</p>
      {state.passkeys.length > 0 && (
        <ul className={classes.rows}>
          {state.passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} mayDelete={mayChange} failure={failure} />
          ))}
        </ul>
      )}
      {mayChange ? (
        <PasskeyAction label={t('passkeys.add')} run={add} />
      ) : (
        <p className={classes.fact}>{t('passkeys.confirmFirst')}</p>
      )}
      <NeedsScript>{t('passkeys.script')}</NeedsScript>
    </Section>
  );
}

type RowProps = { passkey: PasskeyView; mayDelete: boolean; failure?: FormFailure };

function PasskeyRow({ passkey, mayDelete, failure }: RowProps) {
  const { t } = useTranslation('account');
  const day = useFormattedDay();
  const { id, name, createdAt, lastUsedAt } = passkey;
  const error = failure?.values.id === id ? failure.fields.name?.join(' ') : undefined;
  return (
    <li className={classes.row}>
      <div>
        <p className={classes.name}>{name}</p>
        <p className={classes.fact}>
          {t('passkeys.created', { date: day(createdAt) })} ·{' '}
          {lastUsedAt ? t('passkeys.lastUsed', { date: day(lastUsedAt) }) : t('passkeys.neverUsed')}
        </p>
        <details className={classes.rename} open={error !== undefined}>
          <summary>{t('passkeys.rename')}</summary>
          <Form method="post" action={`#${TWO_FACTOR}`} className={classes.renameForm}>
            <input type="hidden" name="id" value={id} />
            {/* a new name starts from the stored one again */}
            <TextInput
              key={name}
              name="name"
              aria-label={t('passkeys.name')}
              defaultValue={name}
              error={error}
              required
            />
            <Button type="submit" name="intent" value="renamePasskey" variant="default">
              {t('passkeys.save')}
            </Button>
          </Form>
        </details>
      </div>
      {mayDelete && (
        <Form method="post" action={`#${TWO_FACTOR}`}>
          <input type="hidden" name="id" value={id} />
          <IntentButton intent="deletePasskey">{t('passkeys.delete')}</IntentButton>
        </Form>
      )}
    </li>
  );
}
