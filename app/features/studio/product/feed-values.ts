/** The values of fields that only the show's feed and directories show. */
export type FeedValues = {
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
  earlyAccessDays: number;
  dripDays: number;
};

export function feedValues(product: FeedValues): Record<string, string> {
  const { author, copyright, fundingUrl, fundingText, ownerName, ownerEmail, spotifyShowUrl, complete } = product;
  const { feedLength, namesListener, earlyAccessDays, dripDays } = product;
  return {
    author,
    copyright,
    fundingText,
    fundingUrl: fundingUrl ?? '',
    ownerName: ownerName ?? '',
    ownerEmail: ownerEmail ?? '',
    spotifyShowUrl: spotifyShowUrl ?? '',
    complete: complete ? 'on' : 'false',
    feedLength: feedLength === null ? '' : String(feedLength),
    namesListener: namesListener ? 'on' : 'false',
    earlyAccessDays: String(earlyAccessDays),
    dripDays: String(dripDays),
  };
}
