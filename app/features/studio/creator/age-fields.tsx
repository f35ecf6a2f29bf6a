import { useState } from 'react';
import { CheckField, TextField } from '~/app/components/fields';
import { useField } from '~/app/components/form-context';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { isMinor } from '~/server/domain/accounts/base/rules';

/**
 * Asks for an unknown date of birth, and asks minors for a parent's permission (spec §5). Without JavaScript, the
 * second question appears after the first has been answered.
 */
export function AgeFields() {
  const { t } = useTranslation('studio');
  const { birthDate, hasParentalPermission } = useStudio().user;
  const stated = useField('birthDate').value;
  const [now] = useState(() => new Date());
  const day = birthDate ?? stated;
  return (
    <>
      {birthDate === null && (
        <TextField
          name="birthDate"
          type="date"
          label={t('creator.birthDate')}
          help={t('creator.birthDateHelp')}
          autoComplete="bday"
          required
        />
      )}
      {day !== '' && isMinor(day, now) && !hasParentalPermission && (
        <CheckField name="parentalPermission" label={t('creator.parentalPermission')} />
      )}
    </>
  );
}
