import { defineError } from '../../../base/errors';

export const alreadyImportingPeople = defineError('subscriber_import.already_importing', 'conflict');
export const subscriberImportNotFound = defineError('subscriber_import.not_found', 'not_found');
export const showNotSold = defineError('subscriber_import.show_not_sold', 'invalid');
export const noAddresses = defineError('subscriber_import.no_addresses', 'invalid', { field: 'subscribersKey' });
export const notCsv = defineError('subscriber_import.not_csv', 'invalid', { field: 'subscribersKey' });
export const emptyList = defineError('subscriber_import.empty', 'invalid', { field: 'subscribersKey' });
export const tooManyLines = defineError('subscriber_import.too_many_lines', 'invalid', { field: 'subscribersKey' });
export const listMissing = defineError('subscriber_import.file_missing', 'invalid', { field: 'subscribersKey' });
/** The dry run has not ended, or the import was confirmed or cancelled. */
export const importNotReady = defineError('subscriber_import.not_ready', 'conflict');
export const nothingToImport = defineError('subscriber_import.nothing', 'conflict');
export const statementMissing = defineError('subscriber_import.statement_required', 'invalid', { field: 'stopped' });
/** The creator's own account was disconnected since the list was checked, or takes no payments. */
export const accountGone = defineError('subscriber_import.account_gone', 'conflict');
/** Error of one line: the customer no longer has a card. */
export const lineFailed = defineError('subscriber_import.line_failed', 'conflict');
/** The creator's plan has no room for so many subscribers. */
export const noRoomForSubscribers = defineError('subscriber_import.plan_too_small', 'limit_reached');
