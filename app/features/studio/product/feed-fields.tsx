import { CheckField, TextField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';
import { PRODUCT_LIMITS } from '~/server/limits/products';
import type { FeedValues } from './feed-values';

type Product = FeedValues & { id: number; kind: KindName; isFree: boolean };

/** The fields that only the feed and directories show. */
export function FeedFields({ product }: { product: Product }) {
  const { t } = useTranslation('product');
  const may = useMay();
  const { authorLength, copyrightLength, fundingTextLength, feedLength } = PRODUCT_LIMITS;
  return (
    <Section title={t('feed.title')} id="feed">
      <p style={{ margin: 0 }}>{t('feed.lead')}</p>
      <TextField name="author" label={t('feed.author')} help={t('feed.authorHelp')} maxLength={authorLength} />
      <TextField name="copyright" label={t('feed.copyright')} maxLength={copyrightLength} />
      <TextField name="ownerName" label={t('feed.ownerName')} maxLength={authorLength} />
      <div>
        <TextField
          name="ownerEmail"
          type="email"
          autoComplete="email"
          label={t('feed.ownerEmail')}
          help={t('feed.ownerEmailHelp')}
        />
        <OwnerState product={product} />
      </div>
      {may('product.handOver') && (
        <TextField
          name="fundingUrl"
          type="url"
          inputMode="url"
          label={t('feed.fundingUrl')}
          help={t('feed.fundingUrlHelp')}
        />
      )}
      <TextField
        name="fundingText"
        label={t('feed.fundingText')}
        help={t('feed.fundingTextHelp')}
        maxLength={fundingTextLength}
      />
      <TextField
        name="spotifyShowUrl"
        type="url"
        inputMode="url"
        label={t('feed.spotify')}
        help={t('feed.spotifyHelp')}
      />
      <TextField
        name="feedLength"
        label={t('feed.length')}
        help={t('feed.lengthHelp', feedLength)}
        inputMode="numeric"
        autoComplete="off"
      />
      {product.isFree ? <p style={STATE}>{t('feed.onlyPaid')}</p> : <SubscriberFields />}
      <CheckField name="namesListener" label={t('feed.names')} help={t('feed.namesHelp')} />
      <CheckField name="complete" label={t('feed.complete')} help={t('feed.completeHelp')} />
    </Section>
  );
}

/** When subscribers of a paid show get access to its episodes. */
function SubscriberFields() {
  const { t } = useTranslation('product');
  const { earlyAccessDays, dripDays } = PRODUCT_LIMITS;
  const days = { inputMode: 'numeric', autoComplete: 'off' } as const;
  return (
    <>
      <TextField
        name="earlyAccessDays"
        label={t('feed.early')}
        help={t('feed.earlyHelp', { most: earlyAccessDays })}
        {...days}
      />
      <TextField name="dripDays" label={t('feed.drip')} help={t('feed.dripHelp', { most: dripDays })} {...days} />
    </>
  );
}

/** Whether the feed contains the stored email address. */
function OwnerState({ product }: { product: Product }) {
  const { t } = useTranslation('product');
  const paths = usePaths();
  const { ownerEmail, isOwnerEmailVerified } = product;
  if (!ownerEmail) return null;
  if (isOwnerEmailVerified) return <p style={STATE}>{t('feed.ownerVerified', { email: ownerEmail })}</p>;
  return (
    <p style={STATE}>
      {t('feed.ownerWaiting', { email: ownerEmail })}{' '}
      <Link to={`${paths.distribution(product)}#owner`}>{t('feed.ownerState')}</Link>
    </p>
  );
}

const STATE = {
  margin: '4px 0 0',
  fontSize: 'var(--size-14)',
  color: 'var(--muted)',
  overflowWrap: 'anywhere',
} as const;
