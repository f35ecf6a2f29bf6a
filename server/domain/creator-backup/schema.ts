import { z } from 'zod';
import { FORMAT } from './rules';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** The parts of a backup's `manifest.json` that an import reads. */
export const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.number(),
  archive: z.uuid(),
  installation: z.string().max(500),
  createdAt: z.iso.datetime(),
  creator: z.object({ id: count, name: z.string().max(500), domain: z.string().max(100) }),
  missing: z.array(z.string().max(1000)).max(10_000),
  entries: z.array(
    z.object({
      name: z.string().max(1000),
      bytes: count,
      sha256,
      key: z.string().max(600).optional(),
      rows: count.optional(),
    }),
  ),
});

export type Manifest = z.infer<typeof manifest>;
