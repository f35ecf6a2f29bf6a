import { SearchIcon } from '~/app/components/icons';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { PAGE_LIMITS } from '~/server/limits/paging';

export const searchPath = (path: string, search: string): string => `${path}?${new URLSearchParams({ q: search })}`;

type Props = { path: string; search: string; label: string };

/** Searches the page at `path`, whose `?q=` has the words. Works without JavaScript. */
export function PageSearch({ path, search, label }: Props) {
  const { t } = useTranslation('public');
  return (
    <Form className="copy-row" action={path} role="search" preventScrollReset>
      <input
        // a new search replaces the words
        key={search}
        className="input"
        type="search"
        name="q"
        defaultValue={search}
        maxLength={PAGE_LIMITS.searchLength}
        aria-label={label}
        placeholder={label}
      />
      <button className="button plain" type="submit">
        <SearchIcon />
        <span className="hidden-visually">{t('search.submit')}</span>
      </button>
      {search && (
        <Link className="button plain" to={path} preventScrollReset>
          {t('search.clear')}
        </Link>
      )}
    </Form>
  );
}
