import { Button, TextInput } from '@mantine/core';
import { Form, useSubmit } from '@remix-run/react';
import { type FormEvent, forwardRef, type ReactNode, useEffect, useRef } from 'react';
import classes from './filter-form.module.css';
import { SearchIcon } from './line-icons';

const PAUSE_MS = 350;

type Props = {
  label: string;
  /** The button without JavaScript. */
  apply: string;
  search: { label: string; value: string };
  /** Further fields. */
  children: ReactNode;
};

/**
 * Search and filters of a list. They are in the URL and apply on change, a search once the typing pauses. Without
 * JavaScript, a button submits them.
 */
export const FilterForm = forwardRef<HTMLFormElement, Props>(({ label, apply, search, children }, form) => {
  const submit = useSubmit();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);

  function applySoon({ currentTarget, target }: FormEvent<HTMLFormElement>) {
    clearTimeout(timer.current);
    const isTyped = target instanceof HTMLInputElement && target.type === 'search';
    const send = () => submit(currentTarget, { replace: true, preventScrollReset: true });
    timer.current = setTimeout(send, isTyped ? PAUSE_MS : 0);
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
      {children}
      <noscript>
        <Button type="submit" variant="default">
          {apply}
        </Button>
      </noscript>
    </Form>
  );
});
FilterForm.displayName = 'FilterForm';
