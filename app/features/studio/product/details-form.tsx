import { useMemo } from 'react';
import { CheckField, type Choice } from '~/app/components/fields';
import { useUpload } from '~/app/features/studio/upload/use-upload';
import { useUploadWait } from '~/app/features/studio/upload/use-upload-wait';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { playCounterPath } from '~/server/base/public-paths';
import type { KindName } from '~/server/domain/products/kinds';
import { AboutFields, CoverField, ListingFields, NameField, SlugField } from './product-fields';
import { flagValue, SettingsForm, settingsFormOf } from './settings-form';

type Product = {
  id: number;
  kind: KindName;
  name: string;
  description: string;
  category: number;
  language: string;
  slug: string;
  explicit: boolean;
  isListed: boolean;
  showsPlays: boolean;
  isFree: boolean;
  picture: string;
};
type Props = {
  product: Product;
  languages: Choice[];
  /** The URL of the creator's products, up to the slug. */
  base: string;
  failure?: FormFailure;
};

/** What listeners see first, the address of the show, and whether Discover lists it. */
export function DetailsForm({ product, languages, base, failure }: Props) {
  const initial = useMemo(() => valuesOf(product), [product]);
  const cover = useUpload(settingsFormOf('details', product.id), 'coverKey', 'cover');
  const wait = useUploadWait({ coverKey: cover });
  return (
    <SettingsForm part="details" product={product} initial={initial} failure={failure} wait={wait}>
      <NameField />
      <AboutFields languages={languages} />
      <CoverField cover={cover} picture={product.picture} />
      <SlugField base={base} product={product} />
      <ListingFields isPaid={!product.isFree} />
      <PlaysField product={product} />
    </SettingsForm>
  );
}

/** The plays on the show's page, and the addresses of the counter once it is on. */
function PlaysField({ product: { id, showsPlays } }: { product: Product }) {
  const { t } = useTranslation('product');
  return (
    <div>
      <CheckField name="showsPlays" label={t('form.showsPlays')} help={t('form.showsPlaysHelp')} />
      {showsPlays && (
        <p>
          {t('form.counter')} <a href={playCounterPath(id, 'svg')}>{t('form.counterPicture')}</a> ·{' '}
          <a href={playCounterPath(id, 'json')}>JSON</a>
        </p>
      )}
    </div>
  );
}

function valuesOf({ name, description, category, language, slug, explicit, isListed, showsPlays }: Product) {
  return {
    ...{ name, description, category: String(category), language, slug, coverKey: '' },
    explicit: flagValue(explicit),
    isListed: flagValue(isListed),
    showsPlays: flagValue(showsPlays),
  };
}
