import { ProfileForm } from '~/app/features/listener/account/profile-form';
import classes from '~/app/features/listener/account/settings.module.css';
import { toInput } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { pathInLanguage, prefixOf } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { currentZoneName } from '~/server/base/time';
import { PROFILE_REQUIRED } from '~/server/domain/accounts/base/rules';
import { updateAccount } from '~/server/domain/accounts/base/schema';

export const loader = page(async ({ api, context }) => {
  const { name, description, country, language, timeZone, creator, avatar } = await api.accounts.me();
  return {
    profile: {
      name,
      description: description ?? '',
      country: country ?? '',
      language: language ?? context.language,
      timeZone: currentZoneName(timeZone ?? creator?.timeZone ?? 'UTC'),
    },
    hasTimeZone: timeZone !== null || creator !== null,
    picture: avatar?.webp[320] ?? null,
    countries: await api.reference.countryOptions(),
    timeZones: await api.reference.timeZones(),
    title: translator(context.language, 'account')('tabs.profile'),
  };
});

/** Shows the page in the chosen language. */
export const action = form(({ api }, values) => api.accounts.update(toInput(updateAccount, values, PROFILE_REQUIRED)), {
  then: ({ language }, { url }) => {
    const { profile } = pathsFor(url);
    const isNamed = language !== null && prefixOf(profile) !== '';
    return withDoneMessage(isNamed ? pathInLanguage(profile, language) : profile, 'profile_saved');
  },
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Profile() {
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <div className={classes.sections}>
      <ProfileForm {...data} failure={failure} />
    </div>
  );
}
