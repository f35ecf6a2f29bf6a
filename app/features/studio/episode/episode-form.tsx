import { useMemo } from 'react';
import type { Choice } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import { SubmitBar } from '~/app/features/studio/upload/submit-bar';
import { useUpload } from '~/app/features/studio/upload/use-upload';
import { type UploadWait, useUploadWait } from '~/app/features/studio/upload/use-upload-wait';
import type { FormFailure } from '~/app/lib/doors.server';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeType, Person } from '~/db/values/episodes';
import { currentZoneName } from '~/server/base/time';
import type { CoverUrls } from '~/server/domain/media/rules';
import type { KindName } from '~/server/domain/products/kinds';
import { EpisodeFields } from './episode-fields';
import { EpisodePreview } from './episode-preview';
import { type EditedEpisode, initialEpisodeValues, RELEASE_ERRORS, releaseErrors } from './episode-values';

type Props = {
  product: { id: number; kind: KindName; name: string; isFree: boolean; cover: CoverUrls; creator: { name: string } };
  /** Null for a new episode. */
  episode: EditedEpisode | null;
  /** The hosts of the newest episode, for a new one. */
  usualPeople?: Person[];
  /** The type that a link asked for, for a new episode. */
  type?: EpisodeType;
  /** How many more public episodes the show can publish; null without a limit. */
  publicRoom: number | null;
  timeZones: Choice[];
  pageUrl: string;
  failure?: FormFailure;
};

const loadCreationRules = () => import('./episode-rules').then(({ creationRules }) => creationRules);
const loadEditingRules = () => import('./episode-rules').then(({ editingRules }) => editingRules);

export const CREATE_REQUIRED = ['kind', 'productId', 'name', 'description'] as const;
export const UPDATE_REQUIRED = ['id', 'kind', 'name', 'description'] as const;

/** The form of an episode. Users fill it in while the file uploads. */
export function EpisodeForm({ product, episode, usualPeople, type, publicRoom, timeZones, pageUrl, failure }: Props) {
  const { t: tError } = useTranslation('errors');
  const timeZone = currentZoneName(useCreatorTimeZone());
  const form = episode ? `episode-edit-${episode.id}` : `episode-create-${product.id}`;
  const initial = useMemo(
    () => initialEpisodeValues(product, episode, { timeZone, suggested: { type, people: usualPeople } }),
    [product, episode, timeZone, usualPeople, type],
  );
  const audio = useUpload(form, 'fileKey', 'episode_audio');
  const cover = useUpload(form, 'coverKey', 'cover');
  const wait = useUploadWait({ fileKey: audio, coverKey: cover });
  const preview = (
    <EpisodePreview
      cover={cover.transfer}
      picture={episode?.picture ?? product.cover.webp[640]}
      productName={product.name}
      host={product.creator.name}
      timeZone={timeZone}
      releaseDate={episode?.releaseDate ?? null}
    />
  );

  return (
    <DraftForm
      form={form}
      initial={initial}
      rules={episode ? loadEditingRules : loadCreationRules}
      required={episode ? UPDATE_REQUIRED : CREATE_REQUIRED}
      failure={failure}
      check={(values) => releaseErrors(values, tError, Date.now())}
      sharedErrors={RELEASE_ERRORS}
      {...wait.formProps}
      aside={preview}
    >
      <EpisodeFields
        product={product}
        episode={episode}
        audio={audio}
        cover={cover}
        publicRoom={publicRoom}
        timeZones={timeZones}
        pageUrl={pageUrl}
      />
      <SubmitEpisode wait={wait} />
    </DraftForm>
  );
}

/** A map, because the value may be any text: an object has `__proto__`. */
const SUBMIT_LABELS = new Map([
  ['later', 'send.schedule'],
  ['keep', 'send.save'],
  ['draft', 'send.draft'],
]);

function SubmitEpisode({ wait }: { wait: UploadWait }) {
  const { t } = useTranslation('episode');
  const { values } = useFormState();
  const label = t(SUBMIT_LABELS.get(values.publish ?? '') ?? 'send.publish');
  return <SubmitBar wait={wait} label={label} />;
}
