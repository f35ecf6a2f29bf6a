import { Alert } from '~/app/components/alert';
import { TextField } from '~/app/components/fields';
import { type PayoutProof, ProofField } from '~/app/features/listener/account/payout-section';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

export type KeyProof = { kind: PayoutProof; hasPasskey: boolean };

/** What a form for a new key asks for. @param id of the field, because a page has two such forms */
export function KeyProofField({ proof: { kind, hasPasskey }, id }: { proof: KeyProof; id: string }) {
  const { t } = useTranslation('developers');
  if (kind !== 'password') return <ProofField proof={kind} hasPasskey={hasPasskey} id={id} />;
  return (
    <TextField
      name="currentPassword"
      id={id}
      type="password"
      label={t('proof.password')}
      help={t('proof.passwordHelp')}
      autoComplete="current-password"
      required
    />
  );
}

/** For an account that has nothing to prove with. */
export function PasswordFirst() {
  const { t } = useTranslation('developers');
  return (
    <Alert color="blue" variant="light">
      {t('proof.passwordFirst')} <Link to={usePaths().security}>{t('proof.setPassword')}</Link>
    </Alert>
  );
}
