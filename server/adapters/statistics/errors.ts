import { defineError } from '../../base/errors';

/** ClickHouse does not answer, or rejects us. Plays are counted nevertheless, and appear later. */
export const statisticsUnavailable = defineError('statistics.unavailable', 'unavailable');
