import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Form, useSubmit } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { SearchIcon } from '~/app/components/line-icons';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { EPISODE_TYPES } from '~/server/domain/episodes/schema';
import { type EpisodeQuery, isFiltered, ORDERINGS, STATUS_FILTERS } from './episode-query';
import classes from './list.module.css';

const PAUSE_MS = 350;

type Props = { query: EpisodeQuery; deleted?: boolean };

/**
 * Search, status, type and order of the list. They are in the URL, apply on change, and have a button without
 * JavaScript.
 */
export function EpisodeFilter({ query, deleted = false }: Props) {
  const { t } = useTranslation('episode');
  const may = useMay();
  const submit = useSubmit();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  const form = useRef<HTMLFormElement>(null);
  const hasFilter = deleted || isFiltered(query);
  const hadFilter = useRef(hasFilter);
  // the link "Show all" resets the query, so the uncontrolled fields must follow
  useEffect(() => {
    if (hadFilter.current && !hasFilter && form.current) setFields(form.current, query);
    hadFilter.current = hasFilter;
  }, [hasFilter, query]);

  function apply(form: HTMLFormElement | null, afterMs: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => form && submit(form, { replace: true, preventScrollReset: true }), afterMs);
  }

  return (
    <Form
      ref={form}
      method="get"
      className={classes.filter}
      role="search"
      aria-label={t('filter.label')}
      preventScrollReset
    >
      <TextInput
        type="search"
        name="search"
        aria-label={t('filter.search')}
        placeholder={t('filter.search')}
        defaultValue={query.search}
        leftSection={<SearchIcon />}
        className={classes.search}
        onChange={(event) => apply(event.currentTarget.form, PAUSE_MS)}
      />
      {may('episode.read') && (
        <NativeSelect
          name="status"
          aria-label={t('filter.status')}
          defaultValue={deleted ? 'deleted' : (query.status ?? '')}
          onChange={(event) => apply(event.currentTarget.form, 0)}
          data={[
            { value: '', label: t('filter.allStatuses') },
            ...STATUS_FILTERS.filter((value) => value !== 'deleted' || may('episode.manage')).map((value) => ({
              value,
              label: t(`status.${value}`),
            })),
          ]}
        />
      )}
      {!deleted && (
        <>
          <NativeSelect
            name="type"
            aria-label={t('filter.type')}
            defaultValue={query.type ?? ''}
            onChange={(event) => apply(event.currentTarget.form, 0)}
            data={[
              { value: '', label: t('filter.allTypes') },
              ...EPISODE_TYPES.map((value) => ({ value, label: t(`type.${value}`) })),
            ]}
          />
          <NativeSelect
            name="ordering"
            aria-label={t('filter.ordering')}
            defaultValue={query.ordering}
            onChange={(event) => apply(event.currentTarget.form, 0)}
            data={ORDERINGS.map((value) => ({ value, label: t(`ordering.${value}`) }))}
          />
        </>
      )}
      <noscript>
        <Button type="submit" variant="default">
          {t('filter.apply')}
        </Button>
      </noscript>
    </Form>
  );
}

function setFields(form: HTMLFormElement, { search, status, type, ordering }: EpisodeQuery): void {
  for (const [name, value] of Object.entries({ search, status: status ?? '', type: type ?? '', ordering })) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
  }
}
