/** The package has no types. */
declare module 'mailauth' {
  type Status = { result: 'pass' | 'fail' | 'neutral' | 'none' | 'policy' | 'temperror' | 'permerror' };
  type Options = {
    ip: string;
    helo: string;
    sender: string;
    mta: string;
    resolver(name: string, type: string): Promise<string[][]>;
  };
  export function authenticate(
    message: Buffer,
    options: Options,
  ): Promise<{
    dkim: { results: { selector: string; signingDomain: string; status: Status; signingHeaders?: { keys: string } }[] };
    spf: { status: Status } | undefined;
    dmarc: { status: Status } | undefined;
  }>;
}
