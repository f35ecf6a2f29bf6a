import { Badge } from '@mantine/core';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { Disclosure } from '~/app/components/disclosure';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { TWO_FACTOR } from '~/app/lib/two-factor';
import type { SecondFactorState } from '~/server/domain/accounts/settings/security-page';
import { SECOND_FACTOR_LIMITS } from '~/server/limits/accounts';
import { AuthenticatorSetUp } from './authenticator-set-up';
import { ConfirmIdentity } from './confirm-identity';
import { useFormattedDay } from './formatted-day';
import { RecoveryCodes } from './recovery-codes';
import classes from './settings.module.css';

type Props = {
  state: SecondFactorState;
  isCreator: boolean;
  /** New recovery codes, shown once; otherwise null. */
  recoveryCodes: string[] | null;
  failure?: FormFailure;
};

/** Whether two-factor authentication is on, the authenticator app and the recovery codes. */
export function TwoFactorSection({ state, isCreator, recoveryCodes, failure }: Props) {
  const { t } = useTranslation('account');
  return (
    <Section id={TWO_FACTOR} title={t('twoFactor.title')}>
      <div className={classes.part}>
        <p className={classes.name}>
          <Badge component="span" color={state.isOn ? 'green' : 'gray'} variant="light">
            {t(state.isOn ? 'twoFactor.on' : 'twoFactor.off')}
          </Badge>{' '}
          {t(state.isOn ? 'twoFactor.asks' : 'twoFactor.why')}
        </p>
        {!state.isOn && isCreator && <p className={classes.box}>{t('twoFactor.recommended')}</p>}
      </div>
      {failure && ACTIONS.has(failure.values.intent ?? '') && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} />}
      {state.missingProof && <ConfirmIdentity state={state} proof={state.missingProof} failure={failure} />}
      <ul className={classes.rows}>
        <AuthenticatorRow state={state} />
        {state.isOn && <RecoveryRow state={state} />}
      </ul>
      {state.setUp && <AuthenticatorSetUp setUp={state.setUp} failure={failure} />}
    </Section>
  );
}

function AuthenticatorRow({ state }: { state: SecondFactorState }) {
  const { t } = useTranslation('account');
  const day = useFormattedDay();
  const { authenticatorSince: since, missingProof, setUp, passkeys } = state;
  return (
    <li className={classes.row}>
      <div>
        <p className={classes.name}>{t('app.title')}</p>
        <p className={classes.fact}>{since ? t('app.since', { date: day(since) }) : t('app.none')}</p>
      </div>
      {missingProof === null &&
        (since ? (
          <Disclosure button={t('app.remove')} label={t('app.removeIt')} isDangerous>
            <p>{t(passkeys.length === 0 ? 'app.lastLoss' : 'app.loss')}</p>
            <Form method="post" action={`#${TWO_FACTOR}`}>
              <IntentButton intent="removeAuthenticator" isDangerous>
                {t('app.removeIt')}
              </IntentButton>
            </Form>
          </Disclosure>
        ) : (
          <Form method="post" action={`#${TWO_FACTOR}`}>
            <IntentButton intent="startAuthenticator">{t(setUp ? 'app.again' : 'app.setUp')}</IntentButton>
          </Form>
        ))}
    </li>
  );
}

function RecoveryRow({ state: { recoveryCodesLeft: left, missingProof } }: { state: SecondFactorState }) {
  const { t } = useTranslation('account');
  return (
    <li className={classes.row}>
      <div>
        <p className={classes.name}>{t('recovery.title')}</p>
        <p className={classes.fact}>
          {t('recovery.left', { count: left, all: SECOND_FACTOR_LIMITS.recoveryCodes })}
          {left <= FEW && ` ${t('recovery.few')}`}
        </p>
      </div>
      {missingProof === null && (
        <Form method="post" action={`#${TWO_FACTOR}`}>
          <Button type="submit" name="intent" value="replaceRecoveryCodes" variant="default" size="compact-md">
            {t('recovery.replace')}
          </Button>
        </Form>
      )}
    </li>
  );
}

const FEW = 3;
/** Forms that consist of buttons only, without a field to show an error. */
const ACTIONS = new Set(['startAuthenticator', 'removeAuthenticator', 'replaceRecoveryCodes', 'deletePasskey']);
