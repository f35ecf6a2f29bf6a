import { NativeSelect } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { FilterForm } from '~/app/components/filter-form';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { EPISODE_TYPES } from '~/db/values/episodes';
import { type EpisodeQuery, isFiltered, ORDERINGS, STATUS_FILTERS } from './episode-query';

type Props = { query: EpisodeQuery; deleted?: boolean };

/** Search, status, type and sort order of the list. */
export function EpisodeFilter({ query, deleted = false }: Props) {
  const { t } = useTranslation('episode');
  const may = useMay();
  const form = useRef<HTMLFormElement>(null);
  const hasFilter = deleted || isFiltered(query);
  const hadFilter = useRef(hasFilter);
  // the link "Show all" resets the query, so the uncontrolled fields must follow
  useEffect(() => {
    if (hadFilter.current && !hasFilter && form.current) setFields(form.current, query);
    hadFilter.current = hasFilter;
  }, [hasFilter, query]);

  const search = { label: t('filter.search'), value: query.search };
  return (
    <FilterForm ref={form} label={t('filter.label')} apply={t('filter.apply')} search={search}>
      {may('episode.read') && (
        <NativeSelect
          name="status"
          aria-label={t('filter.status')}
          defaultValue={deleted ? 'deleted' : (query.status ?? '')}
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
            data={[
              { value: '', label: t('filter.allTypes') },
              ...EPISODE_TYPES.map((value) => ({ value, label: t(`type.${value}`) })),
            ]}
          />
          <NativeSelect
            name="ordering"
            aria-label={t('filter.ordering')}
            defaultValue={query.ordering}
            data={ORDERINGS.map((value) => ({ value, label: t(`ordering.${value}`) }))}
          />
        </>
      )}
    </FilterForm>
  );
}

function setFields(form: HTMLFormElement, { search, status, type, ordering }: EpisodeQuery): void {
  for (const [name, value] of Object.entries({ search, status: status ?? '', type: type ?? '', ordering })) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
  }
}
