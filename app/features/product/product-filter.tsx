import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Form, useSubmit } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import { SearchIcon } from '~/app/components/line-icons';
import { useTranslation } from '~/app/lib/translation';
import { KINDS } from '~/server/domain/products/kinds';
import classes from './product.module.css';
import { KIND_PATHS, PRODUCT_ORDERINGS, type ProductQuery } from './product-query';

const PAUSE_MS = 350;

/** Search, kind and order of the shows. They are in the URL, apply on change, and have a button without JavaScript. */
export function ProductFilter({ query }: { query: ProductQuery }) {
  const { t } = useTranslation('product');
  const submit = useSubmit();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);

  function apply(form: HTMLFormElement | null, afterMs: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => form && submit(form, { replace: true, preventScrollReset: true }), afterMs);
  }

  return (
    <Form method="get" className={classes.filter} role="search" aria-label={t('filter.label')} preventScrollReset>
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
      <NativeSelect
        name="kind"
        aria-label={t('filter.kind')}
        defaultValue={query.kind ? KINDS[query.kind].path : ''}
        onChange={(event) => apply(event.currentTarget.form, 0)}
        data={[
          { value: '', label: t('filter.allKinds') },
          ...KIND_PATHS.map(({ name, path }) => ({ value: path, label: t(`kind.${KINDS[name].noun}`) })),
        ]}
      />
      <NativeSelect
        name="ordering"
        aria-label={t('filter.ordering')}
        defaultValue={query.ordering}
        onChange={(event) => apply(event.currentTarget.form, 0)}
        data={PRODUCT_ORDERINGS.map((value) => ({ value, label: t(`ordering.${value}`) }))}
      />
      <noscript>
        <Button type="submit" variant="default">
          {t('filter.apply')}
        </Button>
      </noscript>
    </Form>
  );
}
