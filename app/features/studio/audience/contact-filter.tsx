import { NativeSelect, TextInput } from '@mantine/core';
import { FilterForm } from '~/app/components/filter-form';
import { useTranslation } from '~/app/lib/translation';
import { BUYER_STATES } from '~/db/values/buyer-states';
import { CONTACT_ORDERS, CONTACT_SOURCES, isBuyerSource, STATUS_FILTERS } from '~/db/values/contacts';
import type { ContactPage } from '~/server/domain/audience/contact-list';
import classes from './audience.module.css';
import type { ContactQuery } from './contact-query';

type Props = { query: ContactQuery; list: Pick<ContactPage, 'tags' | 'shows' | 'readsBuyers' | 'tracksReaders'> };

/** States of people who come to the list by their own doing. */
const STATES = BUYER_STATES.filter((state) => state !== 'invited' && state !== 'gift' && state !== 'giver');

/** Proposals; the URL can have others. */
const UNSEEN_MONTHS = [1, 2, 3, 6, 9, 12, 18, 24, 36];

export function ContactFilterForm({ query: { filter, sort }, list }: Props) {
  const { t } = useTranslation('audience');
  const { t: tBuyers } = useTranslation('buyers');
  const values = (names: readonly string[], text: (name: string) => string) =>
    names.map((value) => ({ value, label: text(value) }));
  const sources = CONTACT_SOURCES.filter((source) => list.readsBuyers || !isBuyerSource(source));
  const selects = [
    { name: 'status', all: t('filter.allStatuses'), data: values(STATUS_FILTERS, (name) => t(`state.${name}`)) },
    { name: 'tag', all: t('filter.allTags'), data: values(list.tags, (name) => name) },
    {
      name: 'show',
      all: t('filter.allShows'),
      data: list.shows.map(({ slug, name }) => ({ value: slug, label: name })),
    },
    {
      name: 'subscription',
      all: t('filter.allStates'),
      data: values(list.readsBuyers ? STATES : [], (name) => tBuyers(`state.${name}`)),
    },
    { name: 'source', all: t('filter.allSources'), data: values(sources, (name) => t(`source.${name}`)) },
  ] as const;
  const isFurther = (name: string) => name !== 'status' && name !== 'tag';
  const shown = selects.filter(({ data }) => data.length > 0);
  const fields = shown.map(({ name, all, data }) => ({
    name,
    field: (
      <NativeSelect
        key={name}
        name={name}
        aria-label={t(`filter.${name}`)}
        defaultValue={filter[name] ?? ''}
        data={[{ value: '', label: all }, ...data]}
      />
    ),
  }));
  const hasFurther = Boolean(filter.show ?? filter.subscription ?? filter.source ?? filter.since ?? filter.unseen);
  const asksUnseen = list.tracksReaders || filter.unseen !== undefined;
  const months = [...new Set([...UNSEEN_MONTHS, filter.unseen ?? 1])].sort((a, b) => a - b);
  return (
    <FilterForm
      label={t('filter.label')}
      apply={t('filter.apply')}
      search={{ label: t('filter.search'), value: filter.search ?? '' }}
    >
      {fields.filter(({ name }) => !isFurther(name)).map(({ field }) => field)}
      <NativeSelect
        name="sort"
        aria-label={t('filter.sort')}
        defaultValue={sort}
        data={values(CONTACT_ORDERS, (name) => t(`sort.${name}`))}
      />
      <details className={classes.further} open={hasFurther}>
        <summary>{t('filter.further')}</summary>
        <div className={classes.bar}>
          {fields.filter(({ name }) => isFurther(name)).map(({ field }) => field)}
          <TextInput type="date" name="since" label={t('filter.since')} defaultValue={filter.since ?? ''} />
          {asksUnseen && (
            <NativeSelect
              name="unseen"
              label={t('filter.unseen')}
              defaultValue={filter.unseen ?? ''}
              data={[
                { value: '', label: t('filter.anyRead') },
                ...values(months.map(String), (count) => t('months', { count: Number(count) })),
              ]}
            />
          )}
        </div>
      </details>
    </FilterForm>
  );
}
