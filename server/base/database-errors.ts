import { isConnectionError } from '~/db/driver/lost-connection';

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention (a shutdown, a timeout). */
const AWAY_STATE = /^(?:08|53|57)[0-9A-Z]{3}$/;

/** Whether one error of a chain says that the database is away or too busy; a later attempt may succeed. */
export function isDatabaseAway(error: Error): boolean {
  return isConnectionError(error) || ('code' in error && AWAY_STATE.test(String(error.code)));
}
