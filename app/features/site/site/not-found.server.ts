import { data } from '@remix-run/node';

/** Loaders throw it for a missing page. The root's error boundary shows it. */
export const notFound = () => data(null, { status: 404 });
