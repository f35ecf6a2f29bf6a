import { useEffect } from 'react';
import { currentZoneName } from '~/server/base/time';
import { useFieldSetters, useFormState } from './form-context';

/** Fills in the device's time zone unless the user has chosen one. */
export function DetectTimeZone({ known }: { known: string[] }) {
  const { values } = useFormState();
  const { setDefault } = useFieldSetters('timeZone');
  const isDefault = values.timeZone === 'UTC';
  useEffect(() => {
    const detected = currentZoneName(Intl.DateTimeFormat().resolvedOptions().timeZone);
    if (isDefault && known.includes(detected)) setDefault(detected);
  }, []);
  return null;
}
