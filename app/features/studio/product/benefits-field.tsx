import { TextAreaField } from '~/app/components/fields';
import { useTranslation } from '~/app/lib/translation';
import { PRODUCT_LIMITS } from '~/server/limits/products';

/** What buyers get, one benefit per line. The show's page lists it beside the price. */
export function BenefitsField() {
  const { t } = useTranslation('product');
  const { benefits, benefitLength } = PRODUCT_LIMITS;
  return (
    <TextAreaField
      name="benefits"
      label={t('price.benefits')}
      help={t('price.benefitsHelp', { most: benefits, length: benefitLength })}
      rows={3}
    />
  );
}
