import { text } from '../wire/shapes';
import { listRoute, type Route, retrieveRoute } from './route';

export const eventRoutes: Route[] = [
  retrieveRoute('/v1/events', 'event'),
  listRoute('/v1/events', 'event', {
    filters: { type: text() },
    criteria: ({ type }) => ({ fields: { ...(type && { type }) } }),
  }),
];
