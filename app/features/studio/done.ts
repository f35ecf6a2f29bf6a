/** The query parameter that a successful action redirects with; the studio says its sentence once and takes it away. */
export const DONE = 'done';

/** `/products?x=1` → `/products?x=1&done=product_created` */
export function withDone(path: string, done: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${DONE}=${done}`;
}
