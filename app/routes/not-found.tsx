import { notFound } from '~/app/features/site/not-found.server';
import { page } from '~/app/lib/doors.server';

/** Whatever no page answers, and `/404` itself: the root shows why. */
export const loader = page(() => {
  throw notFound();
});

export default function NotFound() {
  return null;
}
