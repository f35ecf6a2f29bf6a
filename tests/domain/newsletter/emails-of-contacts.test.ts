import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contactTags, taggedContacts } from '~/db/schema/audience';
import { editionRecipients } from '~/db/schema/newsletter';
import { members } from '~/db/schema/team';
import { newsletterStage } from './sent-editions';

const { runtime, make, as, publisher, addContacts, draft, deliver } = await newsletterStage();
const { db } = runtime;

test('the page of a contact has the editions that they got, and an editor sees no email that tells what they bought', async () => {
  const owner = await publisher();
  const { creatorId } = owner;
  const [reader, other] = await addContacts(creatorId, 2);
  const [tag] = await db.insert(contactTags).values({ creatorId, name: 'Buyers' }).returning();
  await db.insert(taggedContacts).values({ tagId: tag!.id, contactId: reader!.id });
  const toAll = await draft(owner);
  await owner.api.editions.send(toAll as never);
  await deliver(toAll.id);
  const toSome = await draft(owner, { title: 'For {{name|you}}', audience: 'tag:Buyers' });
  await owner.api.editions.send(toSome as never);
  await deliver(toSome.id);
  const editor = await make.person();
  await db.insert(members).values({ creatorId, userId: editor.id, role: 'editor' });
  await editor.api.team.switch({ creatorId });
  const editing = { api: await as(editor, 'web') };

  const emails = ({ api }: Pick<typeof owner, 'api'>, id: number) =>
    api.contacts.get({ id }).then((page) => page.emails.map(({ kind, title }) => `${kind}: ${title}`).sort());
  expect(await emails(owner, reader!.id)).toEqual(['edition: For you', 'edition: Hello friend']);
  expect(await emails(owner, other!.id)).toEqual(['edition: Hello friend']);
  expect(await emails(editing, reader!.id)).toEqual(['edition: Hello friend']);

  await db.update(editionRecipients).set({ state: 'bounced' }).where(eq(editionRecipients.contactId, other!.id));
  expect(await emails(owner, other!.id)).toEqual([]);
});
