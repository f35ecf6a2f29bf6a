import { eq } from 'drizzle-orm';
import { sendingDomains } from '~/db/schema/sending-domains';
import { DAYS, earlier } from '../base/time';
import { addSendingDomain } from '../domain/newsletter/add-sending-domain';
import { checkSendingDomain } from '../domain/newsletter/check-sending-domain';
import { listSendingDomains } from '../domain/newsletter/sending-domains';
import type { Lazy } from '../flow/open-once';
import type { Runtime } from '../runtime/runtime';
import type { Zone } from '../sandbox/dns/zone';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';

const OWNER = 'lucia@altavoz.example';
export const DEMO_DOMAIN = 'eltaller.example';
const DOMAIN = { domain: DEMO_DOMAIN, localPart: 'cartas' };
const WARMING_FOR = DAYS(2);
const VERIFIED_FOR = DAYS(5);

/** A domain with its records in the local name server, on the third day of its warm-up. */
export async function seedSendingDomain(
  runtime: Runtime,
  cast: readonly DemoPerson[],
  zone: Lazy<Zone> | null,
): Promise<void> {
  const person = cast.find(({ email }) => email === OWNER);
  // real name servers don't know the demo
  if (!person || !zone) return;
  const ctx = await actAs(runtime, person);
  const before = await listSendingDomains(ctx);
  const id = before.domains[0]?.id ?? (await addSendingDomain(ctx, DOMAIN)).id;
  const { domains } = await listSendingDomains(ctx);
  const records = domains.find((domain) => domain.id === id)?.records ?? [];
  const local = await zone.get();
  for (const { host, type, value } of records) {
    // a killed step is repeated
    await local.remove(host);
    await local.add({ host, type, value });
  }
  await checkSendingDomain(ctx, { id });
  const warmUpStartedAt = earlier(runtime.now(), WARMING_FOR);
  // reports of the days before are about somebody else's emails
  const verifiedAt = earlier(runtime.now(), VERIFIED_FOR);
  await runtime.db.update(sendingDomains).set({ warmUpStartedAt, verifiedAt }).where(eq(sendingDomains.id, id));
}
