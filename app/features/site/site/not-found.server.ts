import { data } from '@remix-run/node';

/** Loaders throw this response for a missing page. The root's error boundary shows it. */
export const notFound = () => data(null, { status: 404 });
