import { NativeSelect } from '@mantine/core';
import { FilterForm } from '~/app/components/filter-form';
import { useTranslation } from '~/app/lib/translation';
import { KINDS } from '~/server/domain/products/kinds';
import { KIND_PATHS, PRODUCT_ORDERINGS, type ProductQuery } from './product-query';

/** Search, kind and order of the shows. */
export function ProductFilter({ query }: { query: ProductQuery }) {
  const { t } = useTranslation('product');
  const search = { label: t('filter.search'), value: query.search };
  return (
    <FilterForm label={t('filter.label')} apply={t('filter.apply')} search={search}>
      <NativeSelect
        name="kind"
        aria-label={t('filter.kind')}
        defaultValue={query.kind ? KINDS[query.kind].path : ''}
        data={[
          { value: '', label: t('filter.allKinds') },
          ...KIND_PATHS.map(({ name, path }) => ({ value: path, label: t(`kind.${KINDS[name].noun}`) })),
        ]}
      />
      <NativeSelect
        name="ordering"
        aria-label={t('filter.ordering')}
        defaultValue={query.ordering}
        data={PRODUCT_ORDERINGS.map((value) => ({ value, label: t(`ordering.${value}`) }))}
      />
    </FilterForm>
  );
}
