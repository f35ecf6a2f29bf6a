import { PAGE_LIMITS } from '~/server/limits/paging';

type Props = { action: string; search: string; label: string; submit: string };

/** Searches texts of the site, without JavaScript too. */
export function TextSearch({ action, search, label, submit }: Props) {
  return (
    <search>
      <form method="get" action={action}>
        <input
          className="input"
          type="search"
          name="search"
          maxLength={PAGE_LIMITS.searchLength}
          defaultValue={search}
          aria-label={label}
          placeholder={label}
        />
        <button className="button plain" type="submit">
          {submit}
        </button>
      </form>
    </search>
  );
}
