import { compactVerify } from 'jose';
import { z } from 'zod';

const payload = z.object({
  partner_id: z.string(),
  partner_user_id: z.string(),
  entitlements: z.array(z.string().min(1)).max(1000).optional(),
});
export type SignedPayload = z.infer<typeof payload>;

/** Lower-case hexadecimal digits, without personal data. */
const PARTNER_USER_ID = /^[0-9a-f]{16,128}$/;

/** The payload of a JWS that the client has signed with its secret; null if Spotify would answer 400. */
export async function readSigned(body: string, secret: string): Promise<SignedPayload | null> {
  try {
    const { payload: bytes } = await compactVerify(body, Buffer.from(secret), { algorithms: ['HS256'] });
    const read = payload.parse(JSON.parse(Buffer.from(bytes).toString()));
    return PARTNER_USER_ID.test(read.partner_user_id) ? read : null;
  } catch {
    return null;
  }
}
