import { Group, TextInput } from '@mantine/core';
import { Button } from '~/app/components/button';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { OPERATOR_LIMITS } from '~/server/limits/operators';

/** A search whose words are in the URL. */
export function SearchForm({ label, words }: { label: string; words: string }) {
  const { t } = useTranslation('admin');
  return (
    <Form method="get" role="search">
      <Group align="end" mb={24}>
        <TextInput
          type="search"
          name="search"
          label={label}
          key={words}
          defaultValue={words}
          maxLength={OPERATOR_LIMITS.searchLength}
          flex="1 1 240px"
        />
        <Button type="submit">{t('search')}</Button>
      </Group>
    </Form>
  );
}

/** The words in the URL, shortened to the allowed length. */
export const wordsOf = (url: URL): string =>
  (url.searchParams.get('search') ?? '').trim().slice(0, OPERATOR_LIMITS.searchLength);
