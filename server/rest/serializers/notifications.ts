import { detail } from './detail';

export const unsubscribedOut = detail('errors:rest.unsubscribed');
