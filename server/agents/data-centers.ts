import { agentIndex } from './classify';

/** Whether servers use a network, not people. An operator's list of listeners' networks overrules ours. */
export function isDataCenter(asn: number): boolean {
  const { dataCenters, listenerNetworks } = agentIndex().file;
  return !listenerNetworks.includes(asn) && (OURS.has(asn) || dataCenters.includes(asn));
}

/**
 * Autonomous systems of hosting companies, as RIPE, ARIN and APNIC register them: https://stat.ripe.net/AS24940 shows
 * each. Networks that also carry listeners are not in the list: Cloudflare, Akamai and Fastly are the exits of iCloud
 * Private Relay, and AS15169 is also the one of Google's VPN.
 */
const DATA_CENTERS: Record<string, number[]> = {
  Alibaba: [37963, 45102],
  Amazon: [14618, 16509],
  ColoCrossing: [36352],
  Contabo: [51167],
  DigitalOcean: [14061],
  FranTech: [53667],
  GoDaddy: [26496],
  'Google Cloud': [396982],
  Hetzner: [24940, 213230],
  'Huawei Cloud': [136907],
  'IBM Cloud': [36351],
  IONOS: [8560],
  Leaseweb: [28753, 30633, 60781],
  Linode: [63949],
  M247: [9009],
  Microsoft: [8075],
  netcup: [197540],
  Oracle: [31898],
  OVH: [16276],
  QuadraNet: [8100],
  Scaleway: [12876],
  Tencent: [45090, 132203],
  'Unified Layer': [46606],
  Vultr: [20473],
};

const OURS = new Set(Object.values(DATA_CENTERS).flat());
