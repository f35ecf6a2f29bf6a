/** postgres.js's own codes for a connection that could not be opened or was lost. */
const CONNECTION_CODE = /^(?:CONNECT_TIMEOUT|CONNECTION_(?:CLOSED|DESTROYED|ENDED))$/;
/** SQLSTATE classes: connection exception, insufficient resources, operator intervention (a shutdown, a timeout). */
const AWAY_STATE = /^(?:08|53|57)[0-9A-Z]{3}$/;

export const codeOf = (error: Error) => ('code' in error ? String(error.code) : '');

/** Whether this error, without its causes, says that the database is away or too busy: a later attempt may succeed. */
export function isDatabaseAway(error: Error): boolean {
  return isConnectionError(error) || AWAY_STATE.test(codeOf(error));
}

/** Whether this error, without its causes, reports a connection that could not be opened or was lost. */
export function isConnectionError(error: Error): boolean {
  // the driver adds a statement's parameters to a socket's error, which distinguishes it from the errors of other
  // services
  return CONNECTION_CODE.test(codeOf(error)) || ('parameters' in error && 'syscall' in error);
}
