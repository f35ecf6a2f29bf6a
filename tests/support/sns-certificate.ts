/** A certificate of our own for what SNS signs, until 2126, and its private key. Both are known to everybody. */
const CERTIFICATE = [
  'MIIBjjCCATWgAwIBAgIUNpL5MfuJYI2Il6mpkfs3/IUX9IEwCgYIKoZIzj0EAwIwHDEaMBgGA1UEAwwRc25zLmFtYXpvbmF3cy5j',
  'b20wIBcNMjYxMTI3MTE1MDI2WhgPMjEyNjExMDMxMTUwMjZaMBwxGjAYBgNVBAMMEXNucy5hbWF6b25hd3MuY29tMFkwEwYHKoZI',
  'zj0CAQYIKoZIzj0DAQcDQgAEOCmrtM5yuapzOsYpD4th4UJfv7t2EJ/Qps8WFjoUwR3nWNcnZjGoMsiST7ED0KDT9yrAnj6cV4Wr',
  'YE9m01INAqNTMFEwHQYDVR0OBBYEFBUmECAqaBSN7n024pKXtUvsF4hHMB8GA1UdIwQYMBaAFBUmECAqaBSN7n024pKXtUvsF4hH',
  'MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgdQDUVVgwBj3PXI4Fr66OLxszsowOhhjXXpbPlm0/+xUCIEib9EYc',
  'NjmY+/Hj/+9fiXYXIuMKGgG7tQTpabhqfAnb',
].join('');
const KEY = [
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdcahr4IIT0T4tlqk5JM7uwDS9oTX1/MGLmI+TEW7AuOhRANCAAQ4',
  'Kau0znK5qnM6xikPi2HhQl+/u3YQn9CmzxYWOhTBHedY1ydmMagyyJJPsQPQoNP3KsCePpxXhatgT2bTUg0C',
].join('');

const pem = (label: string, base64: string) => `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
export const SNS_CERTIFICATE = pem('CERTIFICATE', CERTIFICATE);
export const SNS_KEY = pem('PRIVATE KEY', KEY);
