import { defineError } from '../../errors';

export const linkInvalid = defineError('notification.link_invalid', 'invalid');
