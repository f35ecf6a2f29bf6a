import { z } from 'zod';
import type { FormTicket } from '../../domain/media/uploads';
import { serializer } from '../call';

const words = z.record(z.string(), z.string());

/** `method` POST: a multipart form with `fields` first and `file` last. PUT: only the bytes. */
export const uploadTicketOut = serializer(
  'UploadTicket',
  z.strictObject({
    url: z.url(),
    method: z.enum(['POST', 'PUT']),
    fields: words,
    headers: words,
    key: z.string(),
    expires_at: z.iso.datetime(),
  }),
  ({ url, method, fields, headers, key, expiresAt }: FormTicket) => ({
    url,
    method,
    fields,
    headers,
    key,
    expires_at: expiresAt.toISOString(),
  }),
);
