import type { PlayFacts, Source } from '~/db/values/statistics';
import { classifyAgent } from '../../agents/classify';
import { type MachineReason, machineReason } from '../../agents/machines';
import { referrerHost } from '../../agents/referrers';
import type { Ctx } from '../../runtime/ctx';

/** A client and the headers that tell who it is. The address is used here and never stored. */
export type Listener = { address: string; userAgent: string; referrer?: string };

/** A play's facts; `machine`: why it is not a listener's. */
export type Described = { facts: PlayFacts; machine: MachineReason | null };

const NOWHERE = 'ZZ';
const UNKNOWN_PLACE = { country: null, region: null };

/** What charts show of a play. A broken file of addresses leaves its place unknown, and the play counts. */
export async function describePlay(
  { ports: { geo }, urls }: { ports: Pick<Ctx['ports'], 'geo'>; urls: Pick<Ctx['urls'], 'isOwn'> },
  { address, userAgent, referrer }: Listener,
  source: Source,
): Promise<Described> {
  const [place, network] = await Promise.all([
    geo.locate(address).catch(() => UNKNOWN_PLACE),
    geo.networkOf(address).catch(() => null),
  ]);
  const classification = classifyAgent(userAgent);
  const { app, device, os, kind } = classification;
  const from = referrer && !urls.isOwn(referrer) ? referrerHost(referrer, kind) : null;
  return {
    facts: { country: place.country ?? NOWHERE, region: place.region, app, device, os, referrer: from, source },
    machine: machineReason({ classification, referrer, network }),
  };
}
