import { notFound } from '~/app/features/site/not-found.server';
import { page } from '~/app/lib/doors.server';

/** `/404` and every path without a page. The root's error boundary shows the message. */
export const loader = page(() => {
  throw notFound();
});

export default function NotFound() {
  return null;
}
