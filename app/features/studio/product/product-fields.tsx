import { AddressAvailability, useDebounced } from '~/app/components/address-availability';
import { CheckField, type Choice, ChoiceField, SelectField, TextAreaField, TextField } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { ProductsIcon, SeriesIcon } from '~/app/components/line-icons';
import { PictureField } from '~/app/features/studio/upload/picture-field';
import type { FieldUpload } from '~/app/features/studio/upload/use-upload';
import { useTranslation } from '~/app/lib/translation';
import { useProcedure } from '~/app/lib/trpc';
import { slugFrom } from '~/server/base/addresses';
import { KIND_NAMES, KINDS } from '~/server/domain/products/kinds';
import { COVER_LIMITS } from '~/server/limits/media';
import { PRODUCT_LIMITS } from '~/server/limits/products';
import { categoryChoices } from './category-choices';
import { addressWith, slugInForm } from './slug-in-form';

/** Podcast or audio series. The kind of a product can't change. */
export function KindField() {
  const { t } = useTranslation('product');
  const pictures = { subscription: <ProductsIcon />, purchase: <SeriesIcon /> };
  return (
    <ChoiceField
      name="kind"
      label={t('form.kind')}
      options={KIND_NAMES.map((name) => ({
        value: name,
        label: t(`kind.${KINDS[name].noun}`),
        help: t(`kind.${KINDS[name].noun}.help`),
        picture: pictures[KINDS[name].sale],
      }))}
    />
  );
}

export function NameField() {
  const { t } = useTranslation('product');
  return <TextField name="name" label={t('form.name')} maxLength={PRODUCT_LIMITS.nameLength} required />;
}

/** The show's description, category and language. */
export function AboutFields({ languages }: { languages: Choice[] }) {
  const { t, language } = useTranslation('product');
  return (
    <>
      <TextAreaField
        name="description"
        label={t('form.description')}
        help={t('form.descriptionHelp')}
        rows={5}
        maxLength={PRODUCT_LIMITS.descriptionLength}
        required
      />
      <SelectField
        name="category"
        label={t('form.category')}
        help={t('form.categoryHelp')}
        placeholder={t('form.choose')}
        choices={categoryChoices(language)}
        required
      />
      <SelectField name="language" label={t('form.language')} choices={languages} required />
    </>
  );
}

export function CoverField({ cover, picture }: { cover: FieldUpload; picture?: string }) {
  const { t } = useTranslation('product');
  return (
    <PictureField
      name="coverKey"
      isCover
      upload={cover}
      label={t('form.cover')}
      help={t('form.coverHelp', { min: COVER_LIMITS.coverMinPixels, pixels: COVER_LIMITS.recommendedPixels })}
      current={picture}
    />
  );
}

/** Texts for subscribers and buyers. */
export function MessageFields() {
  const { t } = useTranslation('product');
  return (
    <>
      <TextAreaField
        name="welcomeMessage"
        label={t('form.welcome')}
        help={t('form.welcomeHelp')}
        rows={4}
        maxLength={PRODUCT_LIMITS.messageLength}
      />
      <TextAreaField
        name="subscriberEmailMessage"
        label={t('form.emailMessage')}
        help={t('form.emailMessageHelp')}
        rows={4}
        maxLength={PRODUCT_LIMITS.messageLength}
      />
    </>
  );
}

/** Whether Discover lists the show, and its details in podcast apps. */
export function ListingFields({ isPaid }: { isPaid: boolean }) {
  const { t } = useTranslation('product');
  return (
    <>
      <CheckField
        name="isListed"
        label={t('form.listed')}
        help={t(isPaid ? 'form.listedHelpPaid' : 'form.listedHelp')}
      />
      <CheckField name="explicit" label={t('form.explicit')} help={t('form.explicitHelp')} />
    </>
  );
}

/** The slug of the show's public page. */
export function SlugField({ base, product }: { base: string; product: { id: number; slug: string } | null }) {
  const { t } = useTranslation('product');
  const { values, errors } = useFormState();
  const slugInput = slugInForm(values, product?.slug);
  const slug = useDebounced(slugInput);
  const isChanged = slug !== '' && slug !== product?.slug;
  const { data, isFetching } = useProcedure(
    'products.slugAvailability',
    { slug, exceptId: product?.id },
    { enabled: isChanged },
  );
  const isChecking = isFetching || slug !== slugInput;
  const availability = data?.available ? 'free' : data ? 'taken' : 'unknown';
  // the field's error already says it
  const isSilent = slugInput === '' || slugInput === product?.slug || errors.slug;
  const state = isSilent ? 'unknown' : isChecking ? 'checking' : availability;
  // if a proposed slug is taken, the server adds a suffix
  const visibleState = !values.slug && state === 'taken' ? 'unknown' : state;
  return (
    <div>
      <TextField
        name="slug"
        label={t('form.slug')}
        help={t(product ? 'form.slugHelpEdit' : 'form.slugHelp')}
        placeholder={slugFrom(values.name ?? '', PRODUCT_LIMITS.slugLength)}
        maxLength={PRODUCT_LIMITS.slugLength}
        autoComplete="off"
        spellCheck={false}
      />
      <AddressAvailability address={addressWith(base, slugInput)} state={visibleState} reason={data?.reason} />
    </div>
  );
}
