import { redirect } from '@remix-run/node';
import { nextPath } from '~/app/features/studio/start/step-paths';
import { page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';

/** `/start` continues with the first open step. */
export const loader = page(async ({ api, url }) => {
  throw redirect(nextPath(pathsFor(url), await api.start.progress()));
});

export default function Resume() {
  return null;
}
