/** postgres.js's own codes for a connection that could not be opened or was lost. */
const CONNECTION_CODE = /^(?:CONNECT_TIMEOUT|CONNECTION_(?:CLOSED|DESTROYED|ENDED))$/;
/** SQLSTATE classes: connection exception, insufficient resources, operator intervention (a shutdown, a timeout). */
const AWAY_STATE = /^(?:08|53|57)[0-9A-Z]{3}$/;

/** Whether one error of a chain says that the database is away or too busy; a later attempt may succeed. */
export function isDatabaseAway(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  if (CONNECTION_CODE.test(code) || AWAY_STATE.test(code)) return true;
  // the driver adds a statement's parameters to a socket's error, which distinguishes it from those of other services
  return 'parameters' in error && 'syscall' in error;
}

/** Whether the disk of this machine is full, or the quota of its user. */
export const isDiskFull = (error: Error): boolean => 'code' in error && /^(?:ENOSPC|EDQUOT)$/.test(String(error.code));
