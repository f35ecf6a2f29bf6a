import { z } from 'zod';
import { ENDPOINT_KINDS, WEBHOOK_EVENTS } from '~/db/values/webhook-events';
import { chosenSize, fields, listFields } from '../../base/fields';
import { WEBHOOK_LIMITS } from '../../limits/webhooks';

const endpointId = z.uuid({ error: 'field.invalid' });

/** Check boxes of one name send a text for one of them. Without any, all events are sent. */
const events = z
  .preprocess(
    (value) => (value === undefined || value === null || value === '' ? [] : [value].flat()),
    z.array(fields.oneOf(WEBHOOK_EVENTS)).max(WEBHOOK_EVENTS.length, { error: 'field.invalid' }),
  )
  .transform((chosen) => [...new Set(chosen)])
  .default([]);

const url = fields.webAddress(WEBHOOK_LIMITS.urlLength).pipe(z.string({ error: 'field.required' }));

export const saveEndpoint = z.object({
  kind: fields.oneOf(ENDPOINT_KINDS).default('webhook'),
  url,
  description: fields.optionalLine(WEBHOOK_LIMITS.descriptionLength).default(''),
  events,
});
export type SaveEndpoint = z.infer<typeof saveEndpoint>;

export const findEndpoint = z.object({ endpointId });
export type FindEndpoint = z.infer<typeof findEndpoint>;

export const changeEndpoint = saveEndpoint.omit({ kind: true }).extend({ endpointId });
export type ChangeEndpoint = z.infer<typeof changeEndpoint>;

export const switchEndpoint = findEndpoint.extend({ isOn: fields.flag() });
export type SwitchEndpoint = z.infer<typeof switchEndpoint>;

export const sendTest = findEndpoint.extend({ type: fields.oneOf(WEBHOOK_EVENTS) });
export type SendTest = z.infer<typeof sendTest>;

export const findDelivery = findEndpoint.extend({ deliveryId: fields.id() });
export type FindDelivery = z.infer<typeof findDelivery>;

export const listDeliveries = findEndpoint.extend({ page: listFields.page, pageSize: chosenSize });
export type ListDeliveries = z.infer<typeof listDeliveries>;

export const findSample = z.object({ type: fields.oneOf(WEBHOOK_EVENTS).default('episode.published') });
export type FindSample = z.infer<typeof findSample>;
