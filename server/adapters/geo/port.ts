/** Where an IP address is, and whose network it belongs to. Unknown for private and malformed addresses. */
export type GeoPort = {
  /** ISO 3166-1 alpha-2; null if unknown. */
  countryOf(address: string): Promise<string | null>;
  /** `region`: ISO 3166-2 such as `ES-MD`; null unless the operator's file knows it. */
  locate(address: string): Promise<{ country: string | null; region: string | null }>;
  /** Null without a file of networks, and if the network is unknown. */
  networkOf(address: string): Promise<{ asn: number; isDataCenter: boolean } | null>;
};
