import { useEffect } from 'react';
import { useFieldSetters, useFormState } from '~/app/components/form-context';
import { currentZoneName } from '~/server/time';

/** Fills in the device's time zone if the user has not chosen one. */
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
