import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import { sendingDomains } from '~/db/schema/sending-domains';
import type { DomainReadings } from '../../base/sending-records';
import { DOMAIN_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact, violates } from '../../runtime/ctx';
import { faultOf, readDomain } from '../../sending-domains/domain-name';
import { lockCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { domainAlreadyAdded, domainInvalid, domainOfMailboxes, domainOfPlatform, tooManyDomains } from './errors';
import { keyOwner } from './own-sender';
import type { AddSendingDomain } from './schema';
import { continueWarmUp } from './warm-up-again';

/** Receivers reject shorter keys, and many can't read longer ones (RFC 8301 §3.2). */
const KEY_BITS = 2048;
const UNCHECKED = { state: 'unchecked', texts: [] } as const;
const READINGS: DomainReadings = {
  dkim: { ...UNCHECKED, texts: [] },
  returnPath: { ...UNCHECKED, texts: [] },
  dmarc: { ...UNCHECKED, texts: [] },
};

/**
 * Adds a domain with a key of its own, so that its records prove who has entered them: several creators may add one domain.
 * Nothing leaves from it before its records were found.
 * @throws newsletter.domain_invalid, newsletter.domain_of_platform, newsletter.domain_of_mailboxes,
 * newsletter.domain_already_added, newsletter.too_many_domains, common.role_not_allowed
 */
export async function addSendingDomain(ctx: Ctx, input: AddSendingDomain): Promise<{ id: number }> {
  const { id: creatorId } = authorize(ctx, 'creator.manageDomains', currentCreator(ctx));
  const domain = requireDomain(ctx, input.domain);
  // making a key takes a while, which nobody should cause in vain
  await requireRoom(ctx, creatorId);
  const selector = `altavoz-${randomBytes(5).toString('hex')}`;
  const { publicKey, privateKey } = await createKeys();
  const key = { selector, publicKey, sealedKey: ctx.vault.seal(privateKey, keyOwner({ creatorId, domain, selector })) };
  try {
    return await transact(ctx, async (tx) => {
      await lockCreator(tx, creatorId);
      await requireRoom(tx, creatorId);
      const now = tx.now();
      const row = { creatorId, domain, localPart: input.localPart, ...key, readings: READINGS, askedAt: now };
      const [added] = await tx.db
        .insert(sendingDomains)
        .values({ ...row, createdAt: now, updatedAt: now })
        .returning({ id: sendingDomains.id });
      await continueWarmUp(tx, { id: added!.id, creatorId, domain });
      await recordActivity(tx, { creatorId, action: 'newsletter.domain_added', params: { name: domain } });
      return added!;
    });
  } catch (error) {
    throw violates(error, 'sending_domains_of_creator') ? domainAlreadyAdded() : error;
  }
}

function requireDomain({ ports, urls }: Ctx, text: string): string {
  const domain = readDomain(text);
  if (domain === null) throw domainInvalid();
  const { appUrl, publicRoot } = urls.settings;
  const own = [ports.mail.domain, new URL(appUrl).hostname, publicRoot.replace(/:\d+$/, '')];
  const fault = faultOf(domain, own);
  if (fault === 'platform') throw domainOfPlatform();
  if (fault === 'mailbox') throw domainOfMailboxes({ domain });
  return domain;
}

async function requireRoom({ db }: Pick<Ctx, 'db'>, creatorId: number): Promise<void> {
  const { domains } = DOMAIN_LIMITS;
  const count = await db.$count(sendingDomains, eq(sendingDomains.creatorId, creatorId));
  if (count >= domains) throw tooManyDomains({ count: domains });
}

/** On a thread of Node's pool. `publicKey`: as DNS has it. */
async function createKeys(): Promise<{ publicKey: string; privateKey: string }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: KEY_BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKey: publicKey.toString('base64'), privateKey };
}
