import { CheckField, type Choice, ChoiceField, TextAreaField, TextField } from '~/app/components/fields';
import { MoreFields } from '~/app/components/more-fields';
import { RichTextField } from '~/app/components/rich-text-field';
import { AudioField } from '~/app/features/studio/upload/audio-field';
import { PictureField } from '~/app/features/studio/upload/picture-field';
import type { FieldUpload } from '~/app/features/studio/upload/use-upload';
import { useTranslation } from '~/app/lib/translation';
import type { EpisodeType } from '~/db/values/episodes';
import { EPISODE_FLAGS } from '~/server/domain/episodes/rules';
import { KINDS, type KindName } from '~/server/domain/products/kinds';
import { EPISODE_LIMITS } from '~/server/limits/episodes';
import own from './episode.module.css';
import type { EditedEpisode } from './episode-values';
import { PeopleFields } from './people-fields';
import { ReleaseFields } from './release-fields';

type Props = {
  product: { kind: KindName; isFree: boolean };
  episode: EditedEpisode | null;
  audio: FieldUpload;
  cover: FieldUpload;
  publicRoom: number | null;
  timeZones: Choice[];
  pageUrl: string;
};

/** The fields of an episode, common ones first. */
export function EpisodeFields({ product, episode, audio, cover, publicRoom, timeZones, pageUrl }: Props) {
  const { t } = useTranslation('episode');
  return (
    <>
      <AudioField
        name="fileKey"
        fillsField={episode ? undefined : 'name'}
        upload={audio}
        label={t(episode ? 'form.otherFile' : 'form.file')}
        help={episode ? t('form.otherFileHelp') : <span data-needs-script>{t('form.fileHelp')}</span>}
      />
      <TextField name="name" label={t('form.name')} maxLength={EPISODE_LIMITS.nameLength} required />
      <DescriptionField />
      <TypeField isFree={product.isFree} episode={episode} publicRoom={publicRoom} />
      <ReleaseFields timeZones={timeZones} episode={episode} />
      <CheckField name="sendEmail" label={t('form.sendEmail')} help={t('form.sendEmailHelp')} />
      <More
        cover={cover}
        episode={episode}
        ordered={KINDS[product.kind].playOrder === 'oldest_first'}
        pageUrl={pageUrl}
      />
    </>
  );
}

type TypeProps = Pick<Props, 'episode' | 'publicRoom'> & { isFree: boolean };

/** Says how many public episodes are possible before one is chosen, and closes the choice when there is no room. */
function TypeField({ isFree, episode, publicRoom }: TypeProps) {
  const { t } = useTranslation('episode');
  const types = isFree ? (['public', 'trailer'] as const) : (['private', 'public', 'trailer'] as const);
  // a published private episode that becomes public is missing among the private ones, too
  const needed = episode?.status === 'published' && episode.type === 'private' ? 2 : 1;
  const isFull = publicRoom !== null && publicRoom < needed;
  const helpOf = (type: EpisodeType) => {
    if (type !== 'public' || publicRoom === null || episode?.type === 'public') return t(`type.${type}.help`);
    return isFull ? t('type.public.noRoom') : t('type.public.room', { count: publicRoom });
  };
  const options = types.map((type) => ({
    value: type,
    label: t(`type.${type}`),
    help: helpOf(type),
    disabled: type === 'public' && isFull,
  }));
  return <ChoiceField name="type" label={t('form.type')} options={options} />;
}

function DescriptionField() {
  const { t } = useTranslation('episode');
  return (
    <RichTextField
      name="description"
      label={t('form.description')}
      help={t('form.descriptionHelp')}
      maxLength={EPISODE_LIMITS.descriptionLength}
      required
    />
  );
}

const MORE_FIELDS = ['coverKey', 'season', 'number', 'people', 'slug', 'privateNote', ...EPISODE_FLAGS];

type MoreProps = {
  cover: FieldUpload;
  episode: EditedEpisode | null;
  ordered: boolean;
  pageUrl: string;
};

/** Fields that most episodes leave empty. */
function More({ cover, episode, ordered, pageUrl }: MoreProps) {
  const { t } = useTranslation('episode');
  return (
    <MoreFields summary={t('form.more')} fields={MORE_FIELDS}>
      <PictureField
        name="coverKey"
        isCover
        upload={cover}
        label={t('form.cover')}
        help={t('form.coverHelp')}
        current={episode?.hasOwnCover ? episode.picture : null}
      />
      <div className={own.pair}>
        <TextField name="season" label={t('form.season')} type="number" min={1} inputMode="numeric" />
        <TextField
          name="number"
          label={t(ordered ? 'form.part' : 'form.number')}
          type="number"
          min={1}
          inputMode="numeric"
        />
      </div>
      <PeopleFields />
      <TextField
        name="slug"
        label={t('form.slug')}
        help={t('form.slugHelp', { address: `${pageUrl}/…` })}
        maxLength={EPISODE_LIMITS.slugLength}
        spellCheck={false}
      />
      <TextAreaField
        name="privateNote"
        label={t('form.note')}
        help={t('form.noteHelp')}
        rows={3}
        maxLength={EPISODE_LIMITS.noteLength}
      />
      {EPISODE_FLAGS.map((flag) => (
        <CheckField key={flag} name={flag} label={t(`form.${flag}`)} help={t(`form.${flag}Help`)} />
      ))}
    </MoreFields>
  );
}
