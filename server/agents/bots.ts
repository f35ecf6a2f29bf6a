/** Whether an unnamed agent says what bots, libraries and services say that fetch for other clients. */
export function saysBot(readable: string): boolean {
  // a phone manufacturer is in the agent of each browser
  return BOTS.test(readable.replaceAll('cubot', ''));
}

const BOTS = new RegExp(
  [
    'bots?\\b|bot[/;\\s_-]|_bot\\b|crawl|spider|slurp|httrack',
    'feed ?(?:fetcher|parser|validator|consumer|burner|press|scanner)|podcast[ -]sync|fetcher\\b|monitoring|linkpreview',
    'facebookexternal|facebookplatform|meta-external|whatsapp|skypeuripreview|embedly|flipboard|mastodon|misskey|gotosocial',
    'mediapartners|google-(?:safety|read|adwords|notebooklm|xrawler)|google(?:other|agent)\\b|bingpreview|lighthouse',
    'pagespeed|headless|phantomjs|selenium|puppeteer|playwright|mechanize|powershell|vercel-',
    'pingdom|uptime|statuscake|newrelic|datadog|nagios|zabbix|site24x7|netcraft|ssldetector',
    '^(?:lib)?curl\\b|libcurl|^wget|^aria2|^lavf/|python|^ruby|libwww|lwp::|^java/|^perl|^php|^go-http|^deno\\b|^bun/|^dart/|^req/',
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
