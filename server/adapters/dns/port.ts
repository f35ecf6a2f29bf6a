/** Looks records up in DNS. A lookup without an answer is null: then nothing is known about the name. */
export type DnsPort = {
  /** The TXT records of a name, each as one text; empty if it has none. */
  texts(name: string): Promise<string[] | null>;
  /** The targets of its CNAME record; empty if it has none. */
  aliases(name: string): Promise<string[] | null>;
  close(): Promise<void>;
};
