import { type HeadersFunction, redirect } from '@remix-run/node';
import { proofFor } from '~/app/features/listener/account/payout-proof';
import { CreatedKey } from '~/app/features/studio/developers/created-key';
import { DeveloperTabs } from '~/app/features/studio/developers/developer-tabs';
import classes from '~/app/features/studio/developers/developers.module.css';
import { KeyList } from '~/app/features/studio/developers/key-list';
import { NewKeyForm } from '~/app/features/studio/developers/new-key-form';
import { ReplaceKeyForm } from '~/app/features/studio/developers/replace-key-form';
import { chosenScopes } from '~/app/features/studio/developers/scope-fields';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';

type Created = { createdKey: string };

/** The creator's keys of the API. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).claimPageFor(url.pathname));
  await requireAbility(door, 'creator.manageKeys');
  const [keys, account, factors] = await Promise.all([
    api.developers.keys(),
    api.accounts.security(),
    api.accounts.secondFactor(),
  ]);
  const proof = { kind: proofFor(account, factors), hasPasskey: factors.passkeys.length > 0 };
  return { keys, proof, title: translator(context.language, 'developers')('title') };
});

export const action = form(
  sectionAction<string | Created>({
    create: async ({ api }, { name = '', life = '', code, currentPassword, ...values }) => {
      const scopes = chosenScopes(values);
      const { key } = await api.developers.createKey({ name, life, scopes, code, currentPassword } as never);
      return { createdKey: key };
    },
    rotate: async ({ api }, { id = '', overlap, code, currentPassword }) => {
      const { key } = await api.developers.rotateKey({ id, overlap, code, currentPassword } as never);
      return { createdKey: key };
    },
    revoke: async ({ api }, { id = '' }) => {
      await api.developers.revokeKey({ id });
      return 'key_revoked';
    },
  }),
  {
    then: (done, { url }) =>
      typeof done === 'string' ? withDoneMessage(pathsFor(url).developers, done) : Response.json(done),
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;
/** After a form, the page contains a key. */
export const headers: HeadersFunction = () => ({ 'cache-control': 'no-store' });

export default function Developers() {
  const { keys, proof } = useLoaderData<typeof loader>();
  const answer = useActionData<FormFailure | Created>();
  const failure = answer && 'fields' in answer ? answer : undefined;
  const created = answer && 'createdKey' in answer ? answer.createdKey : null;
  const newest = keys[0]?.id;
  const working = keys.filter(({ state }) => state !== 'revoked' && state !== 'expired');
  return (
    <div className={classes.sections}>
      <div>
        <DeveloperTabs />
        {created && <CreatedKey value={created} />}
      </div>
      <KeyList keys={keys} />
      {/* once they have made a key, and the list has it, the forms are empty again */}
      <ReplaceKeyForm key={`replace ${newest}`} keys={keys} proof={proof} failure={failure} />
      <NewKeyForm key={`new ${newest}`} count={working.length} proof={proof} failure={failure} />
    </div>
  );
}
