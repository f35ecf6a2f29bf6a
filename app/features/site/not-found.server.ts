import { data } from '@remix-run/node';

/** What a loader throws where there is no page; the root shows it. */
export const notFound = () => data(null, { status: 404 });
