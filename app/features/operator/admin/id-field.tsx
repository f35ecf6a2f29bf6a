import { TextInput } from '@mantine/core';

/** The ID of an object, which operators copy from another page of the console. */
export function IdField({ label, initial }: { label: string; initial?: string }) {
  return <TextInput name="id" label={label} defaultValue={initial} inputMode="numeric" maxLength={15} required />;
}
