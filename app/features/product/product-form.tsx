import { useMemo } from 'react';
import { AddressAvailability, useDebounced } from '~/app/components/address-availability';
import { CheckField, type Choice, ChoiceField, SelectField, TextAreaField, TextField } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { ProductsIcon, SeriesIcon } from '~/app/components/line-icons';
import { NeedsScript } from '~/app/components/page-header';
import classes from '~/app/components/page-header.module.css';
import { DraftForm } from '~/app/features/drafts/draft-form';
import { PictureField } from '~/app/features/upload/picture-field';
import { SubmitBar } from '~/app/features/upload/submit-bar';
import { useUpload } from '~/app/features/upload/use-upload';
import { useUploadWait } from '~/app/features/upload/use-upload-wait';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { trpc } from '~/app/lib/trpc';
import { KIND_NAMES, KINDS, type KindName } from '~/server/domain/products/kinds';
import { createProduct, updateProduct } from '~/server/domain/products/schema';
import { slugFrom } from '~/server/fields';
import { COVER_LIMITS } from '~/server/limits/media';
import { PRODUCT_LIMITS } from '~/server/limits/products';
import { categoryChoices } from './category-choices';
import { FeedFields } from './feed-fields';
import { type FeedValues, feedValues } from './feed-values';

export type EditedProduct = {
  id: number;
  kind: KindName;
  name: string;
  description: string;
  category: number;
  language: string;
  slug: string;
  explicit: boolean;
  picture: string;
} & FeedValues;
type Props = {
  product: EditedProduct | null;
  kind?: KindName;
  languages: Choice[];
  /** The URL of the creator's products, up to the slug. */
  base: string;
  failure?: FormFailure;
};

export const CREATE_REQUIRED = ['kind', 'name', 'description', 'category', 'language', 'coverKey'] as const;
export const UPDATE_REQUIRED = ['id', 'kind', 'name', 'description', 'category', 'language'] as const;

/** Creates or edits a podcast or an audio series. */
export function ProductForm({ product, kind, languages, base, failure }: Props) {
  const { t, language } = useTranslation('product');
  const initial = useMemo(() => initialValues(product, kind ?? KIND_NAMES[0], language), [product, kind, language]);
  const form = product ? `product-edit-${product.id}` : 'product-create';
  const cover = useUpload(form, 'coverKey', 'cover');
  const wait = useUploadWait({ coverKey: cover });
  return (
    <div className={classes.form}>
      <NeedsScript>{t(product ? 'form.noScript' : 'form.noScriptNew')}</NeedsScript>
      <DraftForm
        form={form}
        initial={initial}
        schema={product ? updateProduct : createProduct}
        required={product ? UPDATE_REQUIRED : CREATE_REQUIRED}
        failure={failure}
        ignoreFields={wait.underway}
        beforeSubmit={wait.beforeSubmit}
        onSubmitted={wait.forget}
      >
        {product ? <HiddenIds product={product} /> : <KindField />}
        <TextField name="name" label={t('form.name')} maxLength={PRODUCT_LIMITS.nameLength} required />
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
        <PictureField
          name="coverKey"
          isCover
          upload={cover}
          label={t('form.cover')}
          help={t('form.coverHelp', { min: COVER_LIMITS.coverMinPixels, pixels: COVER_LIMITS.recommendedPixels })}
          current={product?.picture}
        />
        <SlugField base={base} product={product} />
        <CheckField name="explicit" label={t('form.explicit')} help={t('form.explicitHelp')} />
        {product && <FeedFields product={product} />}
        <SubmitBar wait={wait} label={t(product ? 'form.save' : 'form.create')} needsScript={!product} />
      </DraftForm>
    </div>
  );
}

/** Identifies the product; an update can't change these. */
function HiddenIds({ product }: { product: EditedProduct }) {
  return (
    <>
      <input type="hidden" name="id" value={product.id} />
      <input type="hidden" name="kind" value={product.kind} />
    </>
  );
}

function KindField() {
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

function SlugField({ base, product }: { base: string; product: EditedProduct | null }) {
  const { t } = useTranslation('product');
  const { values } = useFormState();
  const proposed = slugFrom(values.name ?? '', PRODUCT_LIMITS.slugLength);
  const slugInput = (values.slug?.trim().toLowerCase() || (product ? product.slug : proposed)) ?? '';
  const slug = useDebounced(slugInput);
  const isChanged = slug !== '' && slug !== product?.slug;
  const { data, isFetching } = trpc.products.slugAvailability.useQuery(
    { slug, exceptId: product?.id },
    { enabled: isChanged, staleTime: 0 },
  );
  const availability = data?.available ? 'free' : data ? 'taken' : 'unknown';
  const state =
    slugInput === '' || slugInput === product?.slug
      ? 'unknown'
      : isFetching || slug !== slugInput
        ? 'checking'
        : availability;
  // a proposed slug that is taken gets a suffix from the server
  const visibleState = !values.slug && state === 'taken' ? 'unknown' : state;
  return (
    <div>
      <TextField
        name="slug"
        label={t('form.slug')}
        help={t(product ? 'form.slugHelpEdit' : 'form.slugHelp')}
        placeholder={proposed}
        maxLength={PRODUCT_LIMITS.slugLength}
        autoComplete="off"
        spellCheck={false}
      />
      <AddressAvailability
        address={`${base}${slugInput}`}
        state={visibleState}
        reason={data && !data.available ? 'product.slug_taken' : null}
      />
    </div>
  );
}

function initialValues(product: EditedProduct | null, kind: KindName, language: string): Record<string, string> {
  if (!product)
    return { kind, name: '', description: '', category: '', language, slug: '', explicit: 'false', coverKey: '' };
  const { id, name, description, category, slug, explicit } = product;
  return {
    id: String(id),
    kind: product.kind,
    name,
    description,
    category: String(category),
    language: product.language,
    slug,
    explicit: explicit ? 'on' : 'false',
    coverKey: '',
    ...feedValues(product),
  };
}
