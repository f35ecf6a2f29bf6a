import { useTranslation } from '~/app/lib/translation';

/** What a pager says, in the reader's language. */
export function usePagerWords() {
  const { t } = useTranslation('studio');
  return {
    label: t('pager.label'),
    previous: t('pager.previous'),
    next: t('pager.next'),
    of: (page: number, pages: number) => t('pager.of', { page, pages }),
  };
}
