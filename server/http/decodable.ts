/** Whether routers can decode the path of a URL: they fail on `%zz`, or print a warning. */
export function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(new URL(url).pathname) !== '';
  } catch {
    return false;
  }
}
