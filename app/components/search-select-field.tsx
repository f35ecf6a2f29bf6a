import { type ComboboxItem, Select } from '@mantine/core';
import { useEffect, useState } from 'react';
import themed from '~/app/theme.module.css';
import { type Choice, SelectField } from './fields';
import { useField, useFieldSetters } from './form-context';

/** Not in the theme, because every screen of the studio loads the theme. */
const classNames = {
  input: themed.input,
  label: themed.label,
  description: themed.help,
  error: themed.error,
  dropdown: themed.dropdown,
  option: themed.menuItem,
};

type Props = { name: string; label: string; help?: string; choices: Choice[]; noneFound: string; placeholder?: string };

/**
 * A list that is too long to scroll: the user types part of a choice. Without JavaScript, a native select replaces it.
 */
export function SearchSelectField({ noneFound, ...props }: Props) {
  const { name, label, help, choices, placeholder } = props;
  const { value, error } = useField(name);
  const { setValue } = useFieldSetters(name);
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => void setIsHydrated(true), []);
  if (!isHydrated) return <SelectField {...props} />;
  return (
    <Select
      id={name}
      name={name}
      data-field={name}
      label={label}
      description={help}
      error={error}
      data={choices}
      placeholder={placeholder}
      value={value}
      onChange={(chosen) => chosen && setValue(chosen)}
      searchable
      size="md"
      classNames={classNames}
      allowDeselect={false}
      nothingFoundMessage={noneFound}
      filter={({ options, search }) => (options as ComboboxItem[]).filter((option) => isMatch(option, search))}
    />
  );
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether the choice contains every word of the search, ignoring accents. */
export function isMatch({ value, label }: Choice, search: string): boolean {
  const text = plain(`${label} ${value.replaceAll('_', ' ')}`);
  return plain(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}
