import { useEffect } from 'react';
import { useFieldSetters, useFormState } from '~/app/components/form-context';
import { nameFromFile } from '~/app/features/upload/file-faults';

/** A file that is picked proposes the episode's name, as long as nobody typed one. */
export function NameFromFile({ fileName }: { fileName: string }) {
  const { values } = useFormState();
  const { set } = useFieldSetters('name');
  const untouched = values.name === '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each file, not when the name is emptied
  useEffect(() => {
    if (fileName && untouched) set(nameFromFile(fileName));
  }, [fileName]);
  return null;
}
