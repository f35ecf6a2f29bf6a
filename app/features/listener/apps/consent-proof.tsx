import { confirmWithPasskey } from '~/app/features/listener/account/confirm-with-passkey';
import type { PayoutProof } from '~/app/features/listener/account/payout-section';
import { usePasskey } from '~/app/features/listener/account/use-passkey';
import { PlainPasswordField, PlainTextField } from '~/app/features/listener/auth/plain-fields';
import { useHasPasskeys } from '~/app/lib/passkeys';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

export type ConsentProof = { kind: PayoutProof; hasPasskey: boolean };

/** What the form asks for, because the connection outlives the session. */
export function ConsentProofField({ proof: { kind, hasPasskey } }: { proof: ConsentProof }) {
  const { t } = useTranslation('apps');
  const { t: account } = useTranslation('account');
  const paths = usePaths();
  if (kind === 'proven') return null;
  if (kind === 'missing')
    return (
      <p className="notice bad">
        {t('consent.proof.passwordFirst')} <Link to={paths.security}>{t('consent.proof.setPassword')}</Link>
      </p>
    );
  if (kind === 'password')
    return (
      <PlainPasswordField
        name="currentPassword"
        label={t('consent.proof.password')}
        help={t('consent.proof.passwordHelp')}
        autoComplete="current-password"
      />
    );
  return (
    <>
      <PlainTextField
        name="code"
        label={account('payout.code')}
        help={account('payout.codeHelp')}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
      />
      {hasPasskey && <PlainPasskeyProof />}
    </>
  );
}

/** Public pages do not load Mantine (docs/decisions/0085). */
function PlainPasskeyProof() {
  const { t } = useTranslation('account');
  const { isBusy, failure, start } = usePasskey(confirmWithPasskey);
  if (!useHasPasskeys()) return null;
  return (
    <div>
      <button type="button" className="button plain" aria-disabled={isBusy} onClick={start}>
        {t('confirm.passkey')}
      </button>
      {failure && (
        <p className="error" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
