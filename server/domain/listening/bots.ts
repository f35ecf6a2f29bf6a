/** No client needs a longer name. The limit keeps the time for a hostile one short. */
const MAX_LENGTH = 1024;

/** Bots never count as downloads. An empty user agent is treated as a bot. */
export function isBot(userAgent: string): boolean {
  const agent = userAgent.slice(0, MAX_LENGTH).toLowerCase();
  if (agent.trim() === '') return true;
  return !LISTENERS.test(agent) && (BOTS.test(agent) || NAMES.test(agent) || isUnknownBot(agent));
}

/** Apps of phones are listeners, whatever they are called. */
const isUnknownBot = (agent: string) => WORDS.test(agent) && !/cfnetwork|android|linux; u;|kaios/.test(agent);

/** Apps and devices whose names contain the words of bots. A phone manufacturer is in the agent of each browser. */
const LISTENERS =
  /\bcubot\b|^bbciplayer\/|^datadogapp\/|^denon;|safari\/\S+ \(?flipboard\/|\) flipboard\/|^goldenpod\/|^podcast-archiver\/\d|^podchaser(?: \(|-parser$)|^prdownloader$| for radio downloader |^storytel|^tweetbot\/|^whatsapp\/\S+(?: \w)?$/;

/** Bots, libraries, and services that fetch for other clients. */
const BOTS = new RegExp(
  [
    'bots?\\b|bot[/;\\s_-]|_bot\\b|crawl|spider|slurp|httrack',
    'feed ?(?:fetcher|parser|validator|consumer|burner|press|scanner)|podcast[ -]sync|fetcher\\b|monitoring|linkpreview',
    'facebookexternal|facebookplatform|meta-external|whatsapp|skypeuripreview|embedly|flipboard|mastodon|misskey|gotosocial',
    'mediapartners|google-(?:safety|read|adwords|notebooklm|xrawler)|google(?:other|agent)\\b|bingpreview|lighthouse',
    'pagespeed|headless|phantomjs|selenium|puppeteer|playwright|mechanize|powershell|vercel-',
    'pingdom|uptime|statuscake|newrelic|datadog|nagios|zabbix|site24x7|netcraft|ssldetector',
    '^(?:lib)?curl\\b|libcurl|^wget|^aria2|^lavf/|python|^ruby|libwww|lwp::|^java/|^perl|^php|^go-http|^deno|^bun/|^dart/|^req/',
    '^axios|^got[/ ]|node-fetch|^node$|^node[/.]|undici|^okhttp|httpclient|guzzle|^hackney|^http\\.?rb|http-tiny|colly|aiohttp|httpx',
    'listennotes|podchaser|rephonic|castfeedvalidator|chartable|podsights|magellanai|acast-tester|blubrry|libsyn4',
    // shares of an address, which load it for a preview
    'sharingextension|sharinguiservice|sharesheetui',
    // the Apple Watch requests episodes again that the phone has already downloaded
    '^atc/|\\(null\\)/\\(null\\) watchos',
    // a browser's first word alone
    '^\\W*mozilla(?:/5\\.0)?\\W*$',
  ].join('|'),
);

/** Names without a word that reveals a bot. Hosts, directories and analytics fetch with them, not listeners. */
const NAMES = new RegExp(
  [
    '^(?:7siters|ais virtuallistener|agma|allears|amazon-quick|atheerfm|podcast%20archiver|audiomack podcast|autohotkey|cartesia|castget|castnews)',
    '^(?:audacy creator lab|audio-sanity|castopod|clipgenie|cloudconvert|conduitmcp|contentflow|diftcl|digg |fetch-container)',
    '^(?:flexget|freewheel|guestprimer|gpt-in-mind|gumball|headliner/[\\d.]+ *(?:$|\\+|https)|ipfs podcasting|jamit/|jaunt|linuxgeturl|llmfeed|ltx71|lychee)',
    '^(?:acebookexternalhit|cherrypick|metapodcast|n8n$|newspaper/|novastream|omnystudio|owler|parc/|playnext|podcastics$)',
    '^(?:podcastindex|aggrivator|podcaststandard|podcast-stt|podcast-preflight|podcastdl|podcastworker|podcorn|podcst)',
    '^(?:poddl|podget$|podgrab$|podhound|podio|podoracle|postrank|pyannote|redcircle$|riddler|rstudio|rsstt|simplecast$)',
    '^(?:soundmadeseen|slopsearch|speechmatics|speechischeap|storagegw|substackcontent|supportingcast|taddy|terracotta|tiny tiny rss)',
    '^(?:transistor\\.fm|transmission/|turnitin|veritone|zapier|zdm/|zencastr|goodpods/\\d+\\.\\d+$|spotify/1\\.0$|sciis|podtrac|siriusxm/(?:rss|stt))',
    '\\b(?:podcast-renamer|overcast%20transcri|crowli|dataprovider|daum/|msoffice|playnext|podsearcher|podscribe|podtail/|pods3|twingly|ttd-content|criticalmention|pdrl\\.fm)',
  ].join('|'),
);

/** What unknown agents say of themselves. */
const WORDS =
  /scrap|scrper|harvest|transcri|whisper|dataset|archiv|ingest|downloader|download-worker|import(?:er)?\b|analy[sz]er|summari[sz]e|index(?:er|ing)|pipeline|grabber|puller|backfill|catalog\b|translator|preflight/;
