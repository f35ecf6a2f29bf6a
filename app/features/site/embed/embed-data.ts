/** The data that the script of an embedded player reads from its page. */
export type EmbedData = {
  show: { name: string; host: string; url: string };
  tracks: EmbedTrack[];
  /** Messages of `locales/*\/player.json` with `{{name}}` for the episode. */
  texts: Record<string, string>;
};

/** `peaks`: the path of the waveform's overview. */
export type EmbedTrack = {
  id: number;
  url: string;
  name: string;
  page: string;
  seconds: number;
  peaks: string | null;
};

export const DATA_ID = 'embed-data';
