import { eq } from 'drizzle-orm';
import { beforeEach, expect } from 'vitest';
import { sendingDomains } from '~/db/schema/sending-domains';
import { automationStage } from './running-automations';

/** A stage whose creators send from their own domains, and a zone that has the records. */
export async function domainStage() {
  const stage = await automationStage();
  const { runtime, clock, publisher, draft, deliver, dnsZone } = stage;
  const { db } = runtime;
  const zone = await dnsZone!.get();

  // all creators of a test share an address
  beforeEach(() => stage.client`delete from rate_limits`.then(() => {}));

  type Person = Awaited<ReturnType<typeof publisher>>;
  let number = 0;
  const newName = () => {
    number += 1;
    return `letters${number}.example`;
  };

  async function listed({ api }: Person) {
    return (await api.newsletter.domains()).domains;
  }

  /** Enters the records that the screen shows. */
  async function enterRecords(owner: Person, id: number, except: string[] = []) {
    const { records } = (await listed(owner)).find((domain) => domain.id === id)!;
    for (const { name, host, type, value } of records)
      if (!except.includes(name)) await zone.add({ host, type, value });
    return Object.fromEntries(records.map(({ name, host }) => [name, host])) as Record<string, string>;
  }

  async function verified(owner: Person, domain = newName()) {
    const { id } = await owner.api.newsletter.addDomain({ domain, localPart: 'news' });
    const hosts = await enterRecords(owner, id);
    expect(await owner.api.newsletter.checkDomain({ id })).toEqual({ state: 'verified', isUnanswered: false });
    return { id, domain, hosts };
  }

  const domainRowOf = async (id: number) =>
    (await db.select().from(sendingDomains).where(eq(sendingDomains.id, id)))[0]!;

  /** Sends an edition to its contacts. @returns the numbers of emails by their sender's domain */
  async function sent(owner: Person, now = clock.now) {
    const edition = await draft(owner);
    await owner.api.editions.send(edition as never);
    const froms: Record<string, number> = {};
    await deliver(edition.id, {
      now,
      answer: ({ from }) => {
        const host = from.slice(from.indexOf('@') + 1);
        froms[host] = (froms[host] ?? 0) + 1;
        return {};
      },
    });
    return { froms, id: edition.id };
  }

  return { ...stage, zone, newName, listed, enterRecords, verified, domainRowOf, sent };
}
