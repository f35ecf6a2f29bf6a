import { defineError } from '../../base/errors';

export const endpointNotFound = defineError('webhook.not_found', 'not_found');
export const deliveryNotFound = defineError('webhook.delivery_not_found', 'not_found');
export const tooManyEndpoints = defineError('webhook.limit_reached', 'limit_reached');
export const tooManyByHand = defineError('webhook.too_many_by_hand', 'limit_reached');
export const endpointOff = defineError('webhook.switched_off', 'conflict');
export const urlUnsafe = defineError('webhook.url_unsafe', 'invalid', { field: 'url' });
export const urlNotOfService = defineError('webhook.url_not_of_service', 'invalid', { field: 'url' });
export const urlOfChat = defineError('webhook.url_of_chat', 'invalid', { field: 'url' });
export const urlUnreachable = defineError('webhook.url_private', 'invalid', { field: 'url' });
export const chatEventRequired = defineError('webhook.chat_event_required', 'invalid', { field: 'events' });
/** A chat gets messages for people, which not every event has. */
export const eventNotOfChat = defineError('webhook.event_not_of_chat', 'invalid', { field: 'events' });
