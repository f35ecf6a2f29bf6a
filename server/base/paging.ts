/** One page of a list. `page` counts from 1; `total` counts the items of all pages. */
export type Page<T> = { items: T[]; total: number; page: number; pageSize: number };
