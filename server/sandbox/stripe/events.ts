import { listRoute, type Route, retrieveRoute } from './routes';
import { text } from './wire/shape';

export const eventRoutes: Route[] = [
  retrieveRoute('/v1/events', 'event'),
  listRoute('/v1/events', 'event', {
    filters: { type: text() },
    criteria: ({ type }) => ({ fields: { ...(type && { type }) } }),
  }),
];
