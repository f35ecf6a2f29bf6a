import { useMemo } from 'react';
import { AddressAvailability, useDebounced } from '~/app/components/address-availability';
import { DetectTimeZone } from '~/app/components/detect-time-zone';
import { type Choice, TextField } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { Section } from '~/app/components/page-header';
import pageClasses from '~/app/components/page-header.module.css';
import { SearchSelectField } from '~/app/components/search-select-field';
import { DraftForm } from '~/app/features/studio/drafts/draft-form';
import { PictureField } from '~/app/features/studio/upload/picture-field';
import { SubmitBar } from '~/app/features/studio/upload/submit-bar';
import { useUpload } from '~/app/features/studio/upload/use-upload';
import { useUploadWait } from '~/app/features/studio/upload/use-upload-wait';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { useProcedure } from '~/app/lib/trpc';
import { slugFrom } from '~/server/base/addresses';
import { currentZoneName } from '~/server/base/time';
import type { DonationSettings } from '~/server/domain/donations/settings';
import { CREATOR_LIMITS, DOMAIN_LIMITS } from '~/server/limits/creators';
import { AgeFields } from './age-fields';
import { ColorFields } from './color-fields';
import { PagePreview } from './page-preview';
import { PageSections } from './page-sections';
import { donationValues, rowValues } from './page-values';

export type EditedCreator = {
  name: string;
  domain: string;
  timeZone: string;
  buttonColor: string | null;
  textColor: string | null;
  aboutTitle: string | null;
  aboutText: string | null;
  picture: string | null;
  ctaTitle: string | null;
  ctaText: string | null;
  ctaButton: string | null;
  ctaUrl: string | null;
  testimonials: { text: string; author: string; url: string | null }[];
  links: { label: string; url: string }[];
  showNewsletter: boolean;
  acceptsDonations: boolean;
  donationText: string | null;
  username: string | null;
  donations: DonationSettings;
};
type Props = {
  creator: EditedCreator | null;
  /** Initial values for a page that is not claimed yet. */
  suggestion?: { name: string; domain: string };
  timeZones: Choice[];
  /** The parts of the page's URL around the domain: `http://` and `.altavoz.example`. */
  address: { before: string; after: string };
  failure?: FormFailure;
};

const loadClaimRules = () => import('./page-rules').then(({ claimRules }) => claimRules);
const loadPageRules = () => import('./page-rules').then(({ pageRules }) => pageRules);

export const CLAIM_REQUIRED = ['name', 'domain'] as const;

/** Claims a creator page, or edits it. The edit form has more fields. */
export function CreatorForm({ creator, suggestion, timeZones, address, failure }: Props) {
  const { t } = useTranslation('studio');
  const initial = useMemo(() => (creator ? valuesOf(creator) : { ...UNCLAIMED, ...suggestion }), [creator, suggestion]);
  const form = creator ? 'creator-edit' : 'creator-claim';
  const avatar = useUpload(form, 'avatarKey', 'avatar');
  const wait = useUploadWait({ avatarKey: avatar });
  return (
    <div className={creator ? undefined : pageClasses.form}>
      <DraftForm
        form={form}
        initial={initial}
        rules={creator ? loadPageRules : loadClaimRules}
        required={CLAIM_REQUIRED}
        failure={failure}
        {...wait.formProps}
        aside={creator ? <PagePreview /> : undefined}
      >
        {/* Enter in a field saves; by default it would press the first button of a row */}
        <button type="submit" hidden tabIndex={-1} />
        <TextField
          name="name"
          label={t('creator.name')}
          help={t('creator.nameHelp', { max: CREATOR_LIMITS.nameLength })}
          maxLength={CREATOR_LIMITS.nameLength}
          autoComplete="organization"
          required
        />
        <DomainField own={creator?.domain ?? null} address={address} />
        <SearchSelectField
          name="timeZone"
          label={t('creator.timeZone')}
          help={t('creator.timeZoneHelp')}
          choices={timeZones}
          noneFound={t('creator.timeZoneNone')}
        />
        {!creator && <AgeFields />}
        {!creator && <DetectTimeZone known={timeZones.map(({ value }) => value)} />}
        {creator && <AppearanceSection avatar={avatar} creator={creator} />}
        <SubmitBar wait={wait} label={t(creator ? 'save' : 'creator.claim')} />
      </DraftForm>
    </div>
  );
}

function AppearanceSection({ avatar, creator }: { avatar: ReturnType<typeof useUpload>; creator: EditedCreator }) {
  const { t } = useTranslation('studio');
  return (
    <>
      <Section title={t('creator.appearance')}>
        <PictureField
          name="avatarKey"
          upload={avatar}
          label={t('creator.picture')}
          help={t('creator.pictureHelp')}
          current={creator.picture}
        />
        <ColorFields />
      </Section>
      <PageSections currency={creator.donations.currency} />
    </>
  );
}

function DomainField({ own, address }: { own: string | null; address: Props['address'] }) {
  const { t } = useTranslation('studio');
  const { values, errors } = useFormState();
  const domainInput = values.domain?.trim().toLowerCase() || slugFrom(values.name ?? '', DOMAIN_LIMITS.max);
  const domain = useDebounced(domainInput);
  const { data, isFetching } = useProcedure(
    'creators.domainAvailability',
    { domain },
    { enabled: domain !== '' && domain !== own },
  );
  const isChecking = isFetching || domain !== domainInput;
  const availability = data?.available ? 'free' : data ? 'taken' : 'unknown';
  // the field's error already says it
  const state =
    domainInput === '' || domainInput === own || errors.domain ? 'unknown' : isChecking ? 'checking' : availability;
  return (
    <div>
      <TextField
        name="domain"
        label={t('creator.domain')}
        help={t(own === null ? 'creator.domainHelp' : 'creator.domainChangeHelp')}
        maxLength={DOMAIN_LIMITS.max}
        placeholder={slugFrom(values.name ?? '', DOMAIN_LIMITS.max)}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <AddressAvailability
        address={`${address.before}${domainInput || t('creator.domainExample')}${address.after}`}
        state={state}
        reason={data?.reason}
      />
    </div>
  );
}

const UNCLAIMED = { name: '', domain: '', timeZone: 'UTC', birthDate: '', parentalPermission: 'false' };

/** Texts of the page that may be null. */
const TEXTS = [
  'buttonColor',
  'textColor',
  'aboutTitle',
  'aboutText',
  'ctaTitle',
  'ctaText',
  'ctaButton',
  'ctaUrl',
  'donationText',
  'username',
] as const;

function valuesOf(creator: EditedCreator): Record<string, string> {
  const { name, domain, timeZone, showNewsletter, acceptsDonations } = creator;
  return {
    name,
    domain,
    timeZone: currentZoneName(timeZone),
    showNewsletter: showNewsletter ? 'on' : 'false',
    acceptsDonations: acceptsDonations ? 'on' : 'false',
    ...Object.fromEntries(TEXTS.map((field) => [field, creator[field] ?? ''])),
    ...rowValues(creator),
    ...donationValues(creator.donations),
  };
}
