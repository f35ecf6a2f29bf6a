import { defineError } from '../../base/errors';

export const linkInvalid = defineError('notification.link_invalid', 'invalid');
