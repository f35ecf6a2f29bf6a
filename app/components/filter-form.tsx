import { TextInput } from '@mantine/core';
import { type FormEvent, forwardRef, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Form, useSearchParams, useSubmit } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { Button } from './button';
import classes from './filter-form.module.css';
import { SearchIcon } from './line-icons';

const PAUSE_MS = 350;

type Props = {
  label: string;
  /** Label of the button without JavaScript. */
  apply: string;
  search: { label: string; value: string };
  /** Fields besides search and filters. */
  children: ReactNode;
};

/**
 * The search and the filters of a list. The URL keeps them. Changes apply at once, and a search applies when the user
 * pauses typing. Without JavaScript, a button submits them. On phones, several fields fold behind a button, unless one
 * of them is in use.
 */
export const FilterForm = forwardRef<HTMLFormElement, Props>(({ label, apply, search, children }, form) => {
  const { t } = useTranslation('studio');
  const submit = useSubmit();
  const fields = useId();
  const [isOpen, setOpen] = useState(useHasFilters());
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);

  const send = (fields: HTMLFormElement) =>
    submit(filled(new FormData(fields)), { replace: true, preventScrollReset: true });

  function applyNow(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    clearTimeout(timer.current);
    send(event.currentTarget);
  }

  function applySoon({ currentTarget, target }: FormEvent<HTMLFormElement>) {
    clearTimeout(timer.current);
    const isTyped = target instanceof HTMLInputElement && target.type === 'search';
    timer.current = setTimeout(() => send(currentTarget), isTyped ? PAUSE_MS : 0);
  }

  return (
    <Form
      ref={form}
      method="get"
      className={classes.filter}
      role="search"
      aria-label={label}
      preventScrollReset
      onChange={applySoon}
      onSubmit={applyNow}
    >
      <TextInput
        type="search"
        name="search"
        aria-label={search.label}
        placeholder={search.label}
        defaultValue={search.value}
        leftSection={<SearchIcon />}
        className={classes.search}
      />
      <Button
        type="button"
        variant="default"
        className={classes.toggle}
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
        aria-controls={fields}
      >
        {t('filter.fold')}
      </Button>
      <div id={fields} className={classes.fields} data-open={isOpen || undefined}>
        {children}
      </div>
      <noscript>
        <Button type="submit" variant="default">
          {apply}
        </Button>
      </noscript>
    </Form>
  );
});
const UNFILTERED = new Set(['search', 'page', 'done']);

function useHasFilters(): boolean {
  const [params] = useSearchParams();
  return [...params].some(([name, value]) => value !== '' && !UNFILTERED.has(name));
}

/** Leaves out empty fields, which would only lengthen the URL. Without JavaScript the server ignores them. */
export function filled(fields: FormData): URLSearchParams {
  const entries = [...fields].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new URLSearchParams(entries.filter(([, value]) => value.trim() !== ''));
}

FilterForm.displayName = 'FilterForm';
