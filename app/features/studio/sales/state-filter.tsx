import { NativeSelect } from '@mantine/core';
import { FilterForm } from '~/app/components/filter-form';
import { useTranslation } from '~/app/lib/translation';

type Props = {
  /** The namespace that has the texts of the filter and the states. */
  texts: 'buyers' | 'coupons';
  states: readonly string[];
  query: { search: string; state: string | undefined };
};

/** Search and state filter for a list of buyers or coupons. */
export function StateFilter({ texts, states, query }: Props) {
  const { t } = useTranslation(texts);
  return (
    <FilterForm
      label={t('filter.label')}
      apply={t('filter.apply')}
      search={{ label: t('filter.search'), value: query.search }}
    >
      <NativeSelect
        name="state"
        aria-label={t('filter.state')}
        defaultValue={query.state ?? ''}
        data={[
          { value: '', label: t('filter.allStates') },
          ...states.map((value) => ({ value, label: t(`state.${value}`) })),
        ]}
      />
    </FilterForm>
  );
}
