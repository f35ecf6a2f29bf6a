import { creatorsPage } from '~/app/features/site/public/creators-page.server';
import { notFound } from '~/app/features/site/site/not-found.server';

/** `/404` and every path without a page. The root's error boundary shows the message, below a creator's own header. */
export const loader = creatorsPage(() => {
  throw notFound();
});

export default function NotFound() {
  return null;
}
