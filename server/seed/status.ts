import { sql } from 'drizzle-orm';
import { statusChecks } from '~/db/schema/status';
import { DAYS, earlier, HOURS, later, MINUTES } from '../base/time';
import { listIncidents, openIncident, resolveIncident, updateIncident } from '../domain/status/incidents';
import { slotOf } from '../domain/status/rules';
import { STATUS_LIMITS } from '../limits/status';
import { type Runtime, systemCtx } from '../runtime/runtime';

const KNOWN_FOR = DAYS(14);
/** Emails fail for some time, and later nothing is checked for two hours. */
const FAILURE = { ago: DAYS(6), lasts: MINUTES(40) };
const GAP = { ago: DAYS(3), lasts: HOURS(2) };

/** Two weeks of checks with one failure and one gap, and the incident that explains the failure. */
export async function seedStatus(runtime: Runtime): Promise<void> {
  const current = slotOf(runtime.now());
  const periodOf = ({ ago, lasts }: typeof GAP) => {
    const from = earlier(current, ago);
    return { from, until: later(from, lasts) };
  };
  await addChecks(runtime, { current, failure: periodOf(FAILURE), gap: periodOf(GAP) });
  await addIncident(runtime, periodOf(FAILURE));
}

type Times = { from: Date; until: Date };
type History = { current: Date; failure: Times; gap: Times };

async function addChecks({ db, settings }: Runtime, { current, failure, gap }: History): Promise<void> {
  const isDuring = ({ from, until }: Times) =>
    sql`(slot >= ${from.toISOString()}::timestamptz and slot < ${until.toISOString()}::timestamptz)`;
  const payments = settings.takesPayments ? sql`, ('payments', null, null)` : sql``;
  await db.execute(sql`
    insert into ${statusChecks} (component, slot, is_ok, ms)
    select component, slot, not (component = 'emails' and ${isDuring(failure)}), fastest + (hashtext(slot::text) & 7) * step
    from generate_series(
      ${earlier(current, KNOWN_FOR).toISOString()}::timestamptz, ${current.toISOString()}::timestamptz,
      make_interval(secs => ${STATUS_LIMITS.slot / 1000})) as slot
    cross join (values ('database', 1, 1), ('storage', 1, 2), ('jobs', 0, 0), ('emails', 30, 9)${payments})
      as known (component, fastest, step)
    where not ${isDuring(gap)}
    on conflict do nothing`);
}

async function addIncident(runtime: Runtime, { from, until }: Times): Promise<void> {
  const ctxAt = (at: Date) => ({ ...systemCtx(runtime, 'demo'), now: () => at });
  if ((await listIncidents(ctxAt(runtime.now()))).length > 0) return;
  const operator = { name: 'demo' };
  const { id } = await openIncident(ctxAt(later(from, MINUTES(10))), {
    ...{ operator, from, severity: 'minor', components: ['emails'] },
    titleEn: 'Example of the demo: emails arrived late',
    titleEs: 'Ejemplo de la demo: los correos llegaron con retraso',
    textEn: 'Our email server rejects our password. No email is lost: they wait and are sent later.',
    textEs:
      'Nuestro servidor de correo rechaza la contraseña. No se pierde ningún correo: esperan y se envían después.',
  });
  await updateIncident(ctxAt(later(from, MINUTES(25))), {
    ...{ operator, id },
    textEn: 'The password of the mail account had expired. We have set a new one.',
    textEs: 'La contraseña de la cuenta de correo había caducado. Hemos puesto una nueva.',
  });
  await resolveIncident(ctxAt(until), {
    ...{ operator, id },
    textEn: 'Emails are sent again, and those that waited have left.',
    textEs: 'Los correos vuelven a enviarse, y los que esperaban ya han salido.',
  });
}
