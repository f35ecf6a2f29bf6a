import { z } from 'zod';

export const trackingShape = {
  GTM_ID: z
    .string()
    .regex(/^GTM-[A-Z0-9]{4,12}$/, 'must be the ID of a Google Tag Manager container, such as GTM-ABC1234')
    .optional(),
};
