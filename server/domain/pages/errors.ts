import { defineError } from '../../base/errors';

/** By an operator: its page says so (451). At other doors it is missing. */
export const takenDown = defineError('page.taken_down', 'expired');
