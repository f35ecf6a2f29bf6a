import { useMemo } from 'react';
import { TextField } from '~/app/components/fields';
import { PasskeyProof } from '~/app/features/listener/account/passkey-proof';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';

/** The proof of identity that a request requires; null if none. */
export type Proof = { hasPasskey: boolean } | null;

type Props = { currency: string; submit: string; failure?: FormFailure; proof: Proof };

/** After the user has proven a passkey, the form needs no further proof for ten minutes. */
export function RequestForm({ currency, submit, failure, proof }: Props) {
  const { t } = useTranslation('money');
  const initial = useMemo(() => ({ code: '' }), []);
  return (
    <IntentForm intent={currency} initial={initial} failure={failure} submit={submit}>
      {proof && (
        <>
          <TextField
            name="code"
            label={t('code')}
            help={t('codeHelp')}
            autoComplete="one-time-code"
            spellCheck={false}
          />
          {proof.hasPasskey && <PasskeyProof />}
        </>
      )}
    </IntentForm>
  );
}
