import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { type Choice, SelectField } from './fields';
import { useField, useFieldSetters } from './form-context';
import { ChevronDownIcon } from './line-icons';
import classes from './search-select.module.css';

type Props = { name: string; label: string; help?: string; choices: Choice[]; noneFound: string; placeholder?: string };

/**
 * A list that is too long to scroll: the user types part of a choice. Without JavaScript, a native select replaces it.
 */
export function SearchSelectField({ noneFound, ...props }: Props) {
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => void setIsHydrated(true), []);
  return isHydrated ? <SearchSelect {...props} noneFound={noneFound} /> : <SelectField {...props} />;
}

function SearchSelect({ name, label, help, choices, noneFound, placeholder }: Props) {
  const { value, error } = useField(name);
  const { setValue } = useFieldSetters(name);
  const listId = useId();
  const chosen = choices.find((choice) => choice.value === value);
  /** What the user types; null while the list is closed, and the field shows the chosen label. */
  const [search, setSearch] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const isOpen = search !== null;
  const found = isOpen ? choices.filter((choice) => isMatch(choice, search)) : [];

  function open() {
    if (isOpen) return;
    setSearch('');
    setActive(Math.max(0, choices.indexOf(chosen as Choice)));
  }

  function choose(choice: Choice | undefined) {
    if (choice) setValue(choice.value);
    setSearch(null);
  }

  function press(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (isOpen) setActive(Math.min(found.length - 1, Math.max(0, active + step)));
      else open();
    } else if (isOpen && event.key === 'Enter') {
      event.preventDefault();
      choose(found[active]);
    } else if (isOpen && event.key === 'Escape') {
      event.stopPropagation();
      setSearch(null);
    }
  }

  return (
    <div className={classes.field}>
      <input type="hidden" name={name} value={value} />
      <TextInput
        id={name}
        data-field={name}
        label={label}
        description={help}
        error={error}
        placeholder={isOpen ? (chosen?.label ?? placeholder) : placeholder}
        value={search ?? chosen?.label ?? ''}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setActive(0);
        }}
        onClick={open}
        onKeyDown={press}
        onBlur={() => setSearch(null)}
        autoComplete="off"
        spellCheck={false}
        rightSection={<ChevronDownIcon />}
        rightSectionPointerEvents="none"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && found[active] ? `${listId}-${active}` : undefined}
      />
      {isOpen && <Choices id={listId} label={label} {...{ found, active, value, noneFound }} onChoose={choose} />}
    </div>
  );
}

type ListProps = {
  id: string;
  label: string;
  found: Choice[];
  active: number;
  value: string;
  noneFound: string;
  onChoose: (choice: Choice) => void;
};

function Choices({ id, label, found, active, value, noneFound, onChoose }: ListProps) {
  const current = useRef<HTMLDivElement>(null);
  useEffect(() => void current.current?.scrollIntoView({ block: 'nearest' }), [active, found.length]);
  return (
    <div
      className={classes.list}
      id={id}
      role="listbox"
      aria-label={label}
      onMouseDown={(event) => event.preventDefault()}
    >
      {found.length === 0 && <p className={classes.none}>{noneFound}</p>}
      {found.map((choice, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys
        <div
          key={choice.value}
          id={`${id}-${i}`}
          ref={i === active ? current : undefined}
          className={classes.choice}
          role="option"
          tabIndex={-1}
          aria-selected={choice.value === value}
          data-active={i === active || undefined}
          onClick={() => onChoose(choice)}
        >
          {choice.label}
        </div>
      ))}
    </div>
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
