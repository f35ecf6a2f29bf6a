/**
 * The query parameter that a successful action adds to its redirect. The studio shows its message once and removes it.
 */
export const DONE_PARAM = 'done';

/** `/products?x=1` → `/products?x=1&done=product_created` */
export function withDoneMessage(path: string, done: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${DONE_PARAM}=${done}`;
}
