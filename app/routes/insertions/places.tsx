import { PageHeader } from '~/app/components/page-header';
import { usePlanLimitOf } from '~/app/components/plan-limit';
import { ClipList, NewClip } from '~/app/features/studio/places/clip-list';
import classes from '~/app/features/studio/places/places.module.css';
import { EpisodesToReview, TemplateForm } from '~/app/features/studio/places/template-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { SLOT_RULES } from '~/db/values/insertions';
import { PAGE_LIMITS } from '~/server/limits/paging';

/** The template of a show's mid-rolls, the episodes that need a look, and the creator's clips. */
export const loader = page(async (door) => {
  await requireAbility(door, 'episode.manage');
  const { api, context, url } = door;
  const after = Number(url.searchParams.get('after')) || undefined;
  const ref = productRef(door);
  const [{ name }, { rules }, review, clips] = await Promise.all([
    api.products.forEditing(ref),
    api.insertionPoints.slots({ productId: ref.id }),
    api.insertionPoints.toReview({ productId: ref.id, after }),
    api.clips.list({ pageSize: PAGE_LIMITS.maxSize }),
  ]);
  const title = `${translator(context.language, 'places')('show.title')} · ${name}`;
  return { title, show: { ...ref, name }, rules, review, isFurther: after !== undefined, clips: clips.items };
});

export const action = form(
  sectionAction({
    template: async (door, values) => {
      const rules = SLOT_RULES.filter((rule) => values[rule] === 'on');
      await door.api.insertionPoints.saveSlots({ productId: productRef(door).id, rules });
      return 'template_saved';
    },
    add: async (door, { name = '', clipKey = '', isRecorded = 'false' }) => {
      await door.api.clips.create({ name, clipKey, isRecorded });
      return 'clip_added';
    },
    rename: async (door, { clipId, name = '' }) => {
      await door.api.clips.rename({ id: Number(clipId) || 0, name });
      return 'clip_renamed';
    },
    remove: async (door, { clipId }) => {
      await door.api.clips.remove({ id: Number(clipId) || 0 });
      return 'clip_deleted';
    },
  }),
  { then: (done, door) => withDoneMessage(pathsFor(door.url).placesOfShow(productRef(door)), done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Places() {
  const { t } = useTranslation('places');
  const { show, rules, review, isFurther, clips } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  usePlanLimitOf(failure);
  const paths = usePaths();
  return (
    <>
      <PageHeader
        title={t('show.title')}
        lead={t('show.lead')}
        back={<Link to={paths.insertions(show)}>{t('show.back', { show: show.name })}</Link>}
      />
      <div className={classes.sides}>
        <div>
          <NewClip cutClip={paths.cutClip(show)} failure={failure} />
          <ClipList clips={clips} failure={failure} />
        </div>
        <div>
          <TemplateForm rules={rules} />
          <EpisodesToReview show={show} found={review} isFurther={isFurther} />
        </div>
      </div>
    </>
  );
}
