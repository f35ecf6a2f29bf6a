import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { editionVersions } from '~/db/schema/newsletter';
import { removeUnused } from '~/server/domain/media/erase-objects';
import { releaseUnused } from '~/server/domain/newsletter/release-pictures';
import { EDITING_LIMITS } from '~/server/limits/newsletter';
import { releasePictures } from '~/server/queue/jobs/newsletter';
import '../../support/matchers';
import { picture } from '../../support/pictures';
import { runJobs } from '../../support/run-jobs';
import { newsletterStage } from './sent-editions';

const { runtime, make, clock, publisher, addContacts, draft, jobCtx, rowOf } = await newsletterStage();
const { db } = runtime;

test('a chosen address is used when the edition is sent, and no two editions have one', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 1);
  const [first, second] = [await draft(owner, { slug: 'Rain' }), await draft(owner)];

  await expect(owner.api.editions.update({ ...second, slug: 'rain' } as never)).toFailWith('newsletter.slug_taken');
  await expect(owner.api.editions.update({ ...second, slug: 'a b' } as never)).toFailWith('field.slug_invalid');
  await owner.api.editions.send(first as never);

  expect(await owner.api.editions.get({ id: first.id })).toMatchObject({ url: expect.stringMatching(/\/n\/rain$/) });
  const { address, url } = await owner.api.editions.get({ id: second.id });
  expect({ proposed: address.proposed, url }).toEqual({ proposed: 'hello-friend', url: null });
  const { revision } = await rowOf(first.id);
  await expect(owner.api.editions.update({ id: first.id, revision, slug: 'new' })).toFailWith(
    'newsletter.edition_sent',
  );
});

test('an address that is emptied follows from the title again', async () => {
  const owner = await publisher();
  const { id, revision } = await draft(owner, { slug: 'rain' });

  await owner.api.editions.update({ id, revision, slug: '' } as never);

  expect(await rowOf(id)).toMatchObject({ slug: null });
});

test('a copy has the texts and the audience, and nothing of what became of the edition', async () => {
  const owner = await publisher();
  await addContacts(owner.creatorId, 1);
  const edition = await draft(owner, { slug: 'rain', tags: 'a, b', preheader: 'Soon', seoTitle: 'Wet' });
  await owner.api.editions.send(edition as never);

  const { id } = await owner.api.editions.duplicate({ id: edition.id });

  const { title, content, tags, preheader, seoTitle } = await rowOf(edition.id);
  const same = { title, content, tags, preheader, seoTitle };
  expect(await rowOf(id)).toMatchObject({ ...same, status: 'draft', slug: null, startedAt: null, recipients: 0 });
});

test('what another window has saved becomes a version, although the last one is new', async () => {
  const owner = await publisher();
  const { id, revision } = await draft(owner);
  const theirs = await owner.api.editions.update({ id, revision, content: '<p>Theirs</p>' });

  await owner.api.editions.update({ id, revision: theirs.revision, content: '<p>Mine</p>', keepsOther: true });

  const versions = await owner.api.editions.versions({ id });
  expect(versions[0]).toMatchObject({ beginning: 'Theirs', added: 1, removed: 1 });
  const preview = await owner.api.editions.preview({ id, version: versions[0]!.revision });
  expect(preview.html).toContain('Theirs');
  await expect(owner.api.editions.preview({ id, version: 999 })).toFailWith('newsletter.version_not_found');
});

test('the text of a window that takes the other one’s becomes a version, and never the edition’s', async () => {
  const owner = await publisher();
  const { id, revision } = await draft(owner);
  const theirs = await owner.api.editions.update({ id, revision, content: '<p>Theirs</p>' });
  const mine = { id, title: 'Mine', preheader: '', content: '<p>Mine</p><script>x</script>' };

  await expect(owner.api.editions.keepText({ ...mine, revision })).toFailWith('newsletter.edition_changed');
  await owner.api.editions.keepText({ ...mine, revision: theirs.revision });

  expect((await rowOf(id)).content).toBe('<p>Theirs</p>');
  const [kept] = await owner.api.editions.versions({ id });
  expect(kept).toMatchObject({ title: 'Mine', beginning: 'Mine' });
  await owner.api.editions.restore({ id, version: kept!.revision });
  expect((await rowOf(id)).content).toBe('<p>Mine</p>');
});

test('only the newest versions are listed', async () => {
  const owner = await publisher();
  const { id } = await draft(owner);
  const row = { editionId: id, title: '', preheader: '', content: '<p>x</p>', createdAt: clock.now };
  await db.insert(editionVersions).values(Array.from({ length: 30 }, (_, n) => ({ ...row, revision: 100 + n })));

  const versions = await owner.api.editions.versions({ id });

  expect(versions).toHaveLength(EDITING_LIMITS.shownVersions);
  expect(versions[0]?.revision).toBe(129);
});

const release = () => runJobs(runtime, releasePictures.name, (job, ctx) => releaseUnused(ctx, job));

test('the pictures of a deleted draft are deleted, unless another edition shows them', async () => {
  const owner = await publisher();
  const store = async (size: number) => {
    const key = await make.upload(owner, 'edition_picture', await picture(size, 50));
    return owner.api.media.storeEditionPicture({ key });
  };
  const [shared, own] = [await store(60), await store(70)];
  const image = ({ src }: { src: string }) => `<p>Look</p><img src="${src}" alt="Rain">`;
  await draft(owner, { content: image(shared) });
  const { id } = await draft(owner, { content: image(shared) + image(own) });

  await owner.api.editions.delete({ id });
  await release();

  const [job] = await db.execute<{ data: { keys: string[] } }>(sql`
    select data from pgboss.job where name = 'media.remove-objects' and data::text like ${`%images/${owner.id}/%`} order by id`);
  const { keys } = job!.data;
  expect(keys).toEqual([own.src.replace('/media/', '')]);
  await removeUnused(jobCtx(), { keys, folders: [] });
  const exists = async ({ src }: { src: string }) =>
    (await runtime.ports.storage.head(src.replace('/media/', ''))) !== null;
  expect([await exists(shared), await exists(own)]).toEqual([true, false]);
});

test('a draft with a copied address of another creator’s picture deletes nothing', async () => {
  const [owner, copier] = [await publisher(), await publisher()];
  const key = await make.upload(owner, 'edition_picture', await picture(80, 50));
  const { src } = await owner.api.media.storeEditionPicture({ key });
  const { id } = await draft(copier, { content: `<p>Look</p><img src="${src}" alt="Rain">` });

  await copier.api.editions.delete({ id });
  await release();

  const jobs = await db.execute(sql`
    select data from pgboss.job where name = 'media.remove-objects' and data::text like ${`%${src.replace('/media/', '')}%`}
    order by id`);
  expect([...jobs]).toEqual([]);
});
