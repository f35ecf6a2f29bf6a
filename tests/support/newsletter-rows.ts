import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { contacts } from '~/db/schema/audience';
import { automations } from '~/db/schema/automations';
import { creators } from '~/db/schema/creators';
import { editionRecipients, editions, editionVersions, newsletters } from '~/db/schema/newsletter';
import { sendingDomains } from '~/db/schema/sending-domains';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';

type Stage = { runtime: Runtime; owner: { creatorId: number } };

const SETTINGS = {
  ...{ name: 'Letters', description: '', category: 101, language: 'en', header: 'Letters', footer: '1 Quay Street' },
  ...{
    senderName: 'Nora',
    senderEmail: 'nora@mail.example',
    sendsWelcome: false,
    welcomeSubject: '',
    welcomeContent: '',
  },
};

/** The rows of the authorization matrix about a creator's newsletter and its editions. */
export function newsletterRows({ runtime: { db, now }, owner: { creatorId } }: Stage) {
  const edition = async (over: Partial<typeof editions.$inferInsert> = {}) => {
    const [row] = await db
      .insert(editions)
      .values({ creatorId, title: 'Hello', content: '<p>Hello</p>', ...over })
      .returning({ id: editions.id });
    return row!;
  };
  const domain = async () => {
    const unchecked = { state: 'unchecked' as const, texts: [] };
    const [row] = await db
      .insert(sendingDomains)
      .values({
        ...{ creatorId, domain: `${randomUUID()}.example`, localPart: 'news', selector: 'altavoz-1' },
        ...{ publicKey: 'key', sealedKey: 'sealed', askedAt: now() },
        readings: { dkim: unchecked, returnPath: unchecked, dmarc: unchecked },
      })
      .returning({ id: sendingDomains.id });
    return row!;
  };
  const newDomain = async () => {
    await db.delete(sendingDomains).where(eq(sendingDomains.creatorId, creatorId));
    return { domain: `${randomUUID()}.example`, localPart: 'news' };
  };
  const withRevision = async () => ({ ...(await edition()), revision: 1 });
  const sendable = async () => {
    await db
      .insert(newsletters)
      .values({ ...SETTINGS, creatorId })
      .onConflictDoNothing();
    const state = { status: 'active', source: 'form', language: 'en' } as const;
    await db.insert(contacts).values({ creatorId, email: `reader${randomUUID()}@mail.example`, ...state });
    return withRevision();
  };
  const restorable = async () => {
    const { id } = await edition();
    const version = {
      editionId: id,
      revision: 1,
      title: '',
      preheader: '',
      content: '<p>Before</p>',
      createdAt: now(),
    };
    await db.insert(editionVersions).values(version);
    return { id, version: 1 };
  };
  const resumable = async () => {
    const { id } = await sendable();
    await db.update(editions).set({ status: 'cancelled', startedAt: now() }).where(eq(editions.id, id));
    const [reader] = await db
      .select({ id: contacts.id })
      .from(contacts)
      .where(eq(contacts.creatorId, creatorId))
      .limit(1);
    await db.insert(editionRecipients).values({ editionId: id, contactId: reader!.id, pays: false, dueAt: now() });
    return { id };
  };
  const automation = async () => {
    const [row] = await db
      .insert(automations)
      .values({ creatorId, name: 'Welcome', trigger: 'sign_up' })
      .returning({ id: automations.id });
    return row!;
  };
  const step = async () => {
    await sendable();
    const { id } = await automation();
    const { id: stepId } = await edition({ automationId: id, delayHours: 0 });
    return { id, stepId };
  };
  const switchable = async () => ({ id: (await step()).id, isActive: 'true' });
  const archived = async () => {
    await db
      .insert(newsletters)
      .values({ ...SETTINGS, creatorId })
      .onConflictDoNothing();
    const slug = randomUUID();
    await edition({ status: 'sent', slug, startedAt: now() });
    const [creator] = await db.select({ domain: creators.domain }).from(creators).where(eq(creators.id, creatorId));
    return { domain: creator!.domain, slug };
  };
  const recommendable = async () => {
    const [user] = await db
      .insert(users)
      .values({ name: 'Nora', email: `${randomUUID()}@mail.example`, currency: 'eur', termsAcceptedAt: now() })
      .returning({ id: users.id });
    const [row] = await db
      .insert(creators)
      .values({ userId: user!.id, name: 'Nora', domain: randomUUID(), showNewsletter: true, claimedAt: now() })
      .returning({ id: creators.id });
    await db.insert(newsletters).values({ ...SETTINGS, creatorId: row!.id });
    return { creatorId: row!.id };
  };
  return {
    'newsletter.findRecommendable': [['creators', () => ({ search: 'nora' })]],
    'newsletter.recommend': [['creators', recommendable]],
    'newsletter.endRecommendation': [['creators', recommendable]],
    'newsletter.offered': [['everyone', () => ({ confirmed: 'unknown' })]],
    'newsletter.joinRecommended': [['everyone', () => ({ confirmed: 'unknown', ids: [] })]],
    'newsletter.saveSettings': [['creators', () => SETTINGS]],
    'newsletter.resendSender': [['creators']],
    'newsletter.senderLink': [['everyone', () => ({ token: 'unknown' })]],
    'newsletter.confirmSender': [['everyone', () => ({ token: 'unknown' })]],
    'newsletter.addDomain': [['heads', newDomain]],
    'newsletter.checkDomain': [['ownerAlone', domain]],
    'newsletter.changeDomainSender': [['ownerAlone', async () => ({ ...(await domain()), localPart: 'letters' })]],
    'newsletter.removeDomain': [['ownerAlone', domain]],
    'newsletter.archive': [['everyone', async () => ({ domain: (await archived()).domain })]],
    'newsletter.archived': [['everyone', archived]],
    'editions.get': [['owner', () => edition()]],
    'editions.reach': [['creators', () => ({ audience: 'everyone' })]],
    'editions.versions': [['owner', () => edition()]],
    'editions.saved': [['owner', () => edition()]],
    'editions.emailsLeft': [['creators']],
    'editions.preview': [['owner', () => edition()]],
    'editions.update': [['owner', withRevision]],
    'editions.keepText': [
      ['owner', async () => ({ ...(await withRevision()), title: '', preheader: '', content: '<p>Mine</p>' })],
    ],
    'editions.restore': [['owner', restorable]],
    'editions.delete': [['owner', () => edition()]],
    'editions.sendTest': [['owner', async () => ({ ...(await edition()), to: 'nora@mail.example' })]],
    'editions.checkLinks': [['owner', () => edition()]],
    'editions.send': [['owner', sendable]],
    'editions.duplicate': [['owner', () => edition()]],
    'editions.resume': [['ownerAlone', resumable]],
    'automations.get': [['owner', automation]],
    'automations.create': [['creators', () => ({ trigger: 'sign_up' })]],
    'automations.rename': [['owner', async () => ({ ...(await automation()), name: 'Hello' })]],
    'automations.switch': [['owner', switchable]],
    'automations.delete': [['owner', automation]],
    'automations.addStep': [['owner', automation]],
    'automations.delayStep': [['owner', async () => ({ ...(await step()), days: 2 })]],
    'automations.removeStep': [['owner', step]],
    'editions.cancel': [['owner', () => edition({ status: 'sending' })]],
  } satisfies Record<string, [rule: Rule, input?: () => Promise<Input> | Input][]>;
}
