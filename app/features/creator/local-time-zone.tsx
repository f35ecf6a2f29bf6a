import { useEffect } from 'react';
import { useFieldSetters, useFormState } from '~/app/components/form-context';

/** Proposes the device's time zone to whoever has not chosen one. */
export function LocalTimeZone({ known }: { known: string[] }) {
  const { values } = useFormState();
  const { set } = useFieldSetters('timeZone');
  const untouched = values.timeZone === 'UTC';
  useEffect(() => {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (untouched && known.includes(here)) set(here);
  }, []);
  return null;
}
