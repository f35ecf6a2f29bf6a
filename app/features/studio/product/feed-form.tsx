import { useMemo } from 'react';
import { CheckField, TextAreaField, TextField } from '~/app/components/fields';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useMay, useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';
import { PRODUCT_LIMITS } from '~/server/limits/products';
import settings from './settings.module.css';
import { flagValue, SettingsForm } from './settings-form';

type FeedValues = {
  author: string;
  copyright: string;
  fundingUrl: string | null;
  fundingText: string;
  ownerName: string | null;
  ownerEmail: string | null;
  isOwnerEmailVerified: boolean | null;
  spotifyShowUrl: string | null;
  complete: boolean;
  feedLength: number | null;
  namesListener: boolean;
  measurementPrefixes: string[] | null;
};
type Product = FeedValues & { id: number; kind: KindName; name: string };
/** `canBeMeasured`: whether measurement services can reach the audio. */
type Props = { product: Product; canBeMeasured: boolean; failure?: FormFailure };

/** The details that only the feed and directories show. */
export function FeedForm({ product, canBeMeasured, failure }: Props) {
  const { t } = useTranslation('product');
  const initial = useMemo(() => feedValues(product), [product]);
  return (
    <SettingsForm part="feed" product={product} initial={initial} failure={failure}>
      <p className={settings.lead}>{t('feed.lead')}</p>
      <FeedFields product={product} canBeMeasured={canBeMeasured} />
    </SettingsForm>
  );
}

function FeedFields({ product, canBeMeasured }: Omit<Props, 'failure'>) {
  const { t } = useTranslation('product');
  const may = useMay();
  const creator = useStudio().user.creator?.name;
  // an empty field shows what the feed has instead
  const absent = t('feed.absent');
  const { authorLength, copyrightLength, fundingTextLength, feedLength } = PRODUCT_LIMITS;
  return (
    <>
      <TextField
        name="author"
        label={t('feed.author')}
        help={t('feed.authorHelp')}
        placeholder={creator}
        maxLength={authorLength}
      />
      <TextField name="copyright" label={t('feed.copyright')} placeholder={absent} maxLength={copyrightLength} />
      <TextField name="ownerName" label={t('feed.ownerName')} placeholder={absent} maxLength={authorLength} />
      <div>
        <TextField
          name="ownerEmail"
          type="email"
          autoComplete="email"
          label={t('feed.ownerEmail')}
          help={t('feed.ownerEmailHelp')}
          placeholder={absent}
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
          placeholder={absent}
        />
      )}
      <TextField
        name="fundingText"
        label={t('feed.fundingText')}
        help={t('feed.fundingTextHelp')}
        placeholder={product.name}
        maxLength={fundingTextLength}
      />
      <TextField
        name="spotifyShowUrl"
        type="url"
        inputMode="url"
        label={t('feed.spotify')}
        help={t('feed.spotifyHelp')}
        placeholder={absent}
      />
      <TextField
        name="feedLength"
        label={t('feed.length')}
        help={t('feed.lengthHelp', feedLength)}
        placeholder={t('feed.lengthAll')}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextAreaField
        name="measurementPrefixes"
        label={t('feed.prefixes')}
        help={[
          t('feed.prefixesHelp', { most: PRODUCT_LIMITS.prefixes }),
          ...(canBeMeasured ? [] : [t('feed.prefixesNeedHttps')]),
        ].join(' ')}
        rows={2}
      />
      <CheckField name="namesListener" label={t('feed.names')} help={t('feed.namesHelp')} />
      <CheckField name="complete" label={t('feed.complete')} help={t('feed.completeHelp')} />
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

function feedValues(product: FeedValues): Record<string, string> {
  const { author, copyright, fundingUrl, fundingText, ownerName, ownerEmail, spotifyShowUrl } = product;
  const { feedLength, namesListener, complete } = product;
  return {
    ...{ author, copyright, fundingText, fundingUrl: fundingUrl ?? '' },
    ...{ ownerName: ownerName ?? '', ownerEmail: ownerEmail ?? '', spotifyShowUrl: spotifyShowUrl ?? '' },
    feedLength: feedLength === null ? '' : String(feedLength),
    complete: flagValue(complete),
    namesListener: flagValue(namesListener),
    measurementPrefixes: (product.measurementPrefixes ?? []).join('\n'),
  };
}
