import { asc, eq } from 'drizzle-orm';
import { beforeEach } from 'vitest';
import { contacts, contactTags, suppressions, taggedContacts } from '~/db/schema/audience';
import { contactImports } from '~/db/schema/contact-imports';
import { creatorPlans } from '~/db/schema/plans';
import { runContactImport } from '~/server/domain/audience/run-contact-import';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

export const DECLARED = { hasAgreed: true, consentSource: 'my former website', consentedOn: '2026-11-01' };

/** Two people who get emails, two who have left, and two rows that bring nobody. */
export const FILE = `email,name,created_at,tags,status
Ana@example.com,Ana,2020-01-02,"VIP, Press",active
bea@example.com,,,,
cyd@example.com,Cyd,2021-01-01,,unsubscribed
dan@example.com,Dan,2021-01-01,,bounced
nobody,Eva,2021-01-01,,active
fay@example.com,Fay,2021-01-01,,unconfirmed
`;

/** A stage whose creator imports files of contacts; each test begins without any. */
export async function contactImportStage() {
  const stage = await cast();
  const { runtime, clock, lucia, make } = stage;
  const { db } = runtime;
  clock.now = new Date('2026-11-26T12:00:00Z');

  const usePlan = (plan: 'FREE' | 'ULTRA') =>
    db
      .insert(creatorPlans)
      .values({ creatorId: lucia.creatorId, plan, since: clock.now })
      .onConflictDoUpdate({ target: creatorPlans.creatorId, set: { plan } });

  beforeEach(async () => {
    clock.now = new Date('2026-11-26T12:00:00Z');
    await usePlan('ULTRA');
    await db.delete(contactImports);
    await db.delete(contacts);
    await db.delete(contactTags);
    await db.delete(suppressions);
  });

  const upload = (text: string, owner = lucia) => make.upload(owner, 'contacts', Buffer.from(text));
  const request = async (text: string, over: object = {}) =>
    lucia.api.contactImports.request({ contactsKey: await upload(text), ...DECLARED, ...over });

  const ctx = systemCtx(runtime, 'audience.import-contacts');

  async function importFile(text: string, over: object = {}) {
    const { id } = await request(text, over);
    await runContactImport(ctx, id);
    const latest = await lucia.api.contactImports.latest();
    return { ...latest!, problems: await lucia.api.contactImports.problems({ id }) };
  }

  const ofLucia = eq(contacts.creatorId, lucia.creatorId);

  /** The contacts, with all that an import could change. */
  async function listContacts(): Promise<string[]> {
    const rows = await db.select().from(contacts).where(ofLucia).orderBy(asc(contacts.email));
    const tags = await db
      .select({ id: taggedContacts.contactId, name: contactTags.name })
      .from(taggedContacts)
      .innerJoin(contactTags, eq(contactTags.id, taggedContacts.tagId))
      .orderBy(asc(contactTags.name));
    return rows.map(({ id, email, name, status, since }) =>
      [
        email,
        name,
        status,
        since.toISOString().slice(0, 10),
        tags.flatMap((tag) => (tag.id === id ? [tag.name] : [])).join('+'),
      ]
        .filter(Boolean)
        .join(' '),
    );
  }

  return { ...stage, db, upload, request, ctx, importFile, ofLucia, listContacts, usePlan };
}
