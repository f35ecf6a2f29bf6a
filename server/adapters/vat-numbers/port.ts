/** A number with the register's prefix of its country (`EL` is Greece). */
export type RegisteredNumber = { country: string; number: string };
export type RegisterAnswer = {
  isValid: boolean;
  /** Null for countries that don't publish names. */
  name: string | null;
  /** Proves that we have asked; null unless our own number was given. */
  requestId: string | null;
};

/** The register of VAT numbers of the European Union (VIES). */
export type VatNumbersPort = {
  /** @throws RegisterUnavailable if the register, or that of the country, is not available now; AskerRejected */
  check(number: RegisteredNumber, asker: RegisteredNumber | null): Promise<RegisterAnswer>;
};
