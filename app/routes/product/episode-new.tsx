import { PageHeader } from '~/app/components/page-header';
import { CREATE_REQUIRED, EpisodeForm } from '~/app/features/studio/episode/episode-form';
import { chosenPeople } from '~/app/features/studio/episode/people-values';
import { toInput } from '~/app/lib/check-form';
import { chosenRelease } from '~/app/lib/chosen-release.server';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { EPISODE_TYPES } from '~/db/values/episodes';
import { createEpisode } from '~/server/domain/episodes/schema';

export const loader = page(async (door) => {
  await requireAbility(door, 'episode.manage');
  const product = await door.api.products.forEditing(productRef(door));
  const { id, kind } = product;
  const timeZones = await door.api.reference.timeZones();
  const { items } = await door.api.episodes.list({ productId: id, kind, pageSize: 1 });
  const asked = door.url.searchParams.get('type');
  return {
    publicRoom: await door.api.episodes.publicRoom({ id, kind }),
    type: EPISODE_TYPES.find((type) => type === asked && (type !== 'private' || !product.isFree)),
    /** The hosts of the newest episode. */
    usualPeople: items[0]?.people.filter(({ role }) => role === 'host') ?? [],
    title: `${translator(door.context.language, 'episode')('create.title')} · ${product.name}`,
    product,
    timeZones,
    pageUrl: door.context.urls.product(product.creator.domain, product.slug),
  };
});

export const action = form(
  async (door, values) => {
    const { id, kind } = productRef(door);
    const input = toInput(createEpisode, { ...values, kind, productId: String(id) }, CREATE_REQUIRED);
    const release = chosenRelease(values);
    const episode = await door.api.episodes.create({ ...input, ...release, ...chosenPeople(values) });
    // until the address is verified, the release waits
    return { episode, done: release.hold === false && episode.isHeld ? 'episode_waits' : 'episode_created' };
  },
  { then: ({ episode, done }, { url }) => withDoneMessage(pathsFor(url).episode(episode), done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function NewEpisode() {
  const { t } = useTranslation('episode');
  const { product, pageUrl, usualPeople, type, publicRoom, timeZones } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <PageHeader
        title={t('create.title')}
        back={<Link to={paths.product(product)}>{product.name}</Link>}
        help="newEpisode"
      />
      <EpisodeForm
        key={product.id}
        product={product}
        episode={null}
        usualPeople={usualPeople}
        type={type}
        publicRoom={publicRoom}
        timeZones={timeZones}
        pageUrl={pageUrl}
        failure={failure}
      />
    </>
  );
}
