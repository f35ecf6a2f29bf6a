/** Finds the country of an IP address. */
export type GeoPort = {
  /** ISO 3166-1 alpha-2; null for private, malformed and unknown addresses. */
  countryOf(address: string): Promise<string | null>;
};
