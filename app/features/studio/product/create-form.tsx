import { useMemo } from 'react';
import type { Choice } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { MoreFields } from '~/app/components/more-fields';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import { SubmitBar } from '~/app/features/studio/upload/submit-bar';
import { useUpload } from '~/app/features/studio/upload/use-upload';
import { useUploadWait } from '~/app/features/studio/upload/use-upload-wait';
import type { FormFailure } from '~/app/lib/doors.server';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { Language } from '~/locales/languages';
import { localeOf } from '~/server/base/formats';
import { KIND_NAMES, type KindName } from '~/server/domain/products/kinds';
import { PriceFields } from './price-fields';
import { checkPrices, isPaid, PRICE_ERRORS, priceValues } from './price-values';
import { AboutFields, CoverField, KindField, ListingFields, NameField, SlugField } from './product-fields';
import { type PreviewLook, ProductPreview } from './product-preview';

const FORM = 'product-create';

type Props = {
  kind?: KindName;
  languages: Choice[];
  /** The URL of the creator's products, up to the slug. */
  base: string;
  look: PreviewLook;
  failure?: FormFailure;
};

const loadRules = () =>
  import('~/server/domain/products/schema').then(({ createProduct }) => ({ schema: createProduct }));

export const CREATE_REQUIRED = ['kind', 'name', 'description', 'category', 'language', 'coverKey'] as const;

/** Creates a show on one screen, beside a preview of its page. It is free unless a price is chosen. */
export function CreateForm({ kind, languages, base, look, failure }: Props) {
  const { t, language, locale } = useTranslation('product');
  const { t: tError } = useTranslation('errors');
  const { user } = useStudio();
  const initial = useMemo(() => initialValues(kind, language, user.currency), [kind, language, user.currency]);
  const cover = useUpload(FORM, 'coverKey', 'cover');
  const wait = useUploadWait({ coverKey: cover });
  return (
    <DraftForm
      form={FORM}
      initial={initial}
      rules={loadRules}
      required={CREATE_REQUIRED}
      failure={failure}
      check={(values) => checkPrices(values, tError, locale)}
      sharedErrors={PRICE_ERRORS}
      {...wait.formProps}
      aside={<ProductPreview look={look} cover={cover.transfer} base={base} />}
    >
      <NameField />
      <CoverField cover={cover} />
      <AboutFields languages={languages} />
      <KindField />
      <PriceFields />
      <MoreFields summary={t('create.more')} fields={MORE_FIELDS}>
        <SlugField base={base} product={null} />
        <Listing />
      </MoreFields>
      <SubmitBar wait={wait} label={t('form.create')} />
    </DraftForm>
  );
}

const MORE_FIELDS = ['slug', 'isListed', 'explicit'];

function Listing() {
  const { values } = useFormState();
  return <ListingFields isPaid={isPaid(values)} />;
}

function initialValues(kind: KindName = KIND_NAMES[0], language: Language, currency: 'eur' | 'usd') {
  return {
    kind,
    name: '',
    description: '',
    category: '',
    language,
    coverKey: '',
    ...priceValues(null, currency, localeOf(language)),
    hideSubscribeButton: 'false',
    paysWhatTheyWant: 'false',
    trialDays: '0',
    benefits: '',
    slug: '',
    isListed: 'on',
    explicit: 'false',
  };
}
