import { AddressAvailability, useDebounced } from '~/app/components/address-availability';
import { type Choice, TextField } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { SearchSelectField } from '~/app/components/search-select-field';
import { useTranslation } from '~/app/lib/translation';
import { useProcedure } from '~/app/lib/trpc';
import { slugFrom } from '~/server/base/addresses';
import { CREATOR_LIMITS, DOMAIN_LIMITS } from '~/server/limits/creators';

export type ProfileProps = {
  timeZones: Choice[];
  /** The parts of the page's URL around the domain: `http://` and `.altavoz.example`. */
  address: { before: string; after: string };
};

/** What a page is claimed with. @param own the domain that the creator has already */
export function ProfileFields({ own, timeZones, address }: ProfileProps & { own: string | null }) {
  const { t } = useTranslation('studio');
  return (
    <>
      <TextField
        name="name"
        label={t('creator.name')}
        help={t('creator.nameHelp', { max: CREATOR_LIMITS.nameLength })}
        maxLength={CREATOR_LIMITS.nameLength}
        autoComplete="organization"
        required
      />
      <DomainField own={own} address={address} />
      <SearchSelectField
        name="timeZone"
        label={t('creator.timeZone')}
        help={t('creator.timeZoneHelp')}
        choices={timeZones}
        noneFound={t('creator.timeZoneNone')}
      />
    </>
  );
}

function DomainField({ own, address }: { own: string | null; address: ProfileProps['address'] }) {
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
