import { CopyButton } from '~/app/components/copy-button';
import { TextField } from '~/app/components/fields';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { TWO_FACTOR } from '~/app/lib/two-factor';
import type { AuthenticatorSetUp as SetUp } from '~/server/domain/accounts/second-factors/authenticator';
import { IntentForm } from './section-form';
import classes from './settings.module.css';

const EMPTY = { code: '' };

/** The QR code and the secret for the authenticator app, and the form for the app's first code. */
export function AuthenticatorSetUp({ setUp, failure }: { setUp: SetUp; failure?: FormFailure }) {
  const { t } = useTranslation('account');
  return (
    <div className={classes.box}>
      <ol className={classes.steps}>
        <li>
          <p className={classes.name}>{t('app.scan')}</p>
          <img className={classes.qr} src={setUp.qrCode} alt={t('app.qr')} width={200} height={200} />
          <p className={classes.fact}>
            <a href={setUp.uri}>{t('app.open')}</a>
          </p>
          <p className={classes.fact}>{t('app.type')}</p>
          <p className={classes.secret}>
            <code>{setUp.secret}</code>{' '}
            <CopyButton text={setUp.secret.replaceAll(' ', '')} label={t('app.copy')} done={t('app.copied')} />
          </p>
        </li>
        <li>
          <p className={classes.name}>{t('app.first')}</p>
          <IntentForm
            intent="confirmAuthenticator"
            initial={EMPTY}
            failure={failure}
            submit={t('app.turnOn')}
            anchor={TWO_FACTOR}
          >
            <TextField
              name="code"
              label={t('app.code')}
              inputMode="numeric"
              autoComplete="one-time-code"
              spellCheck={false}
              required
            />
          </IntentForm>
        </li>
      </ol>
    </div>
  );
}
