import { type ReactNode, useMemo } from 'react';
import type { Choice } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import classes from '~/app/components/page-header.module.css';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import { SubmitBar } from '~/app/features/studio/upload/submit-bar';
import { useUpload } from '~/app/features/studio/upload/use-upload';
import { useUploadWait } from '~/app/features/studio/upload/use-upload-wait';
import type { FormValues } from '~/app/lib/check-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import type { Currency } from '~/server/base/money';
import type { KindName } from '~/server/domain/products/kinds';
import { updateProduct } from '~/server/domain/products/schema';
import { FeedFields } from './feed-fields';
import { type FeedValues, feedValues } from './feed-values';
import { PriceFields } from './price-fields';
import { checkPrices, PRICE_ERRORS, priceValues } from './price-values';
import { AboutFields, CoverField, ListingFields, MessageFields, NameField, SlugField } from './product-fields';

export type EditedProduct = {
  id: number;
  kind: KindName;
  name: string;
  description: string;
  category: number;
  language: string;
  slug: string;
  explicit: boolean;
  isListed: boolean;
  hideSubscribeButton: boolean;
  paysWhatTheyWant: boolean;
  trialDays: number;
  benefits: string[];
  welcomeMessage: string | null;
  subscriberEmailMessage: string | null;
  priceMinor: number | null;
  annualPriceMinor: number | null;
  isFree: boolean;
  currency: Currency;
  picture: string;
} & FeedValues;
type Props = {
  product: EditedProduct;
  languages: Choice[];
  /** The URL of the creator's products, up to the slug. */
  base: string;
  failure?: FormFailure;
};

export const UPDATE_REQUIRED = ['id', 'kind', 'name', 'description', 'category', 'language'] as const;

/** Edits a podcast or an audio series, in sections. */
export function ProductForm({ product, languages, base, failure }: Props) {
  const { t, locale } = useTranslation('product');
  const { t: tError } = useTranslation('errors');
  const initial = useMemo(() => valuesOf(product), [product]);
  const form = `product-edit-${product.id}`;
  const cover = useUpload(form, 'coverKey', 'cover');
  const wait = useUploadWait({ coverKey: cover });
  return (
    <div className={classes.form}>
      <DraftForm
        form={form}
        initial={initial}
        schema={updateProduct}
        required={UPDATE_REQUIRED}
        failure={failure}
        check={(values) => checkPrices(values, tError, locale)}
        sharedErrors={PRICE_ERRORS}
        {...wait.formProps}
      >
        <input type="hidden" name="id" value={product.id} />
        <input type="hidden" name="kind" value={product.kind} />
        <FormSection name="details">
          <NameField />
          <AboutFields languages={languages} />
          <CoverField cover={cover} picture={product.picture} />
        </FormSection>
        <FormSection name="price">
          <PriceFields />
        </FormSection>
        <FormSection name="messages">
          <MessageFields />
        </FormSection>
        <FormSection name="address">
          <SlugField base={base} product={product} />
        </FormSection>
        <FormSection name="listing">
          <ListingFields />
        </FormSection>
        <FeedFields product={product} />
        <SubmitBar wait={wait} label={t('form.save')} />
      </DraftForm>
    </div>
  );
}

export const FORM_SECTIONS = ['details', 'price', 'messages', 'address', 'listing'] as const;

function FormSection({ name, children }: { name: (typeof FORM_SECTIONS)[number]; children: ReactNode }) {
  const { t } = useTranslation('product');
  return (
    <Section id={name} title={t(`section.${name}`)}>
      {children}
    </Section>
  );
}

function valuesOf(product: EditedProduct): FormValues {
  const flag = (value: boolean) => (value ? 'on' : 'false');
  const { id, kind, name, description, category, language, slug } = product;
  return {
    id: String(id),
    kind,
    name,
    description,
    category: String(category),
    language,
    slug,
    ...priceValues(product, product.currency),
    hideSubscribeButton: flag(product.hideSubscribeButton),
    paysWhatTheyWant: flag(product.paysWhatTheyWant),
    trialDays: String(product.trialDays),
    benefits: product.benefits.join('\n'),
    welcomeMessage: product.welcomeMessage ?? '',
    subscriberEmailMessage: product.subscriberEmailMessage ?? '',
    isListed: flag(product.isListed),
    explicit: flag(product.explicit),
    coverKey: '',
    ...feedValues(product),
  };
}
