import { z } from 'zod';
import { serializer } from '../call';

export const publicAddressOut = serializer(
  'PublicAddress',
  z.strictObject({ redirect_url: z.url() }),
  ({ url }: { url: string }) => ({ redirect_url: url }),
);
