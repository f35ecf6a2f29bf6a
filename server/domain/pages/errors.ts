import { defineError } from '../../base/errors';

/** An operator has taken the object down: its page says so (451). At other doors it is missing. */
export const takenDown = defineError('page.taken_down', 'expired');
