/** A number with the country's prefix in the register (`EL` is Greece). */
export type RegisteredNumber = { country: string; number: string };
export type RegisterAnswer = {
  isValid: boolean;
  /** Null where the country does not tell. */
  name: string | null;
  /** What proves that we have asked; null unless our own number was given. */
  requestId: string | null;
};

/** The register of VAT numbers of the European Union (VIES). */
export type VatNumbersPort = {
  /** @throws RegisterUnavailable if the register, or that of the country, does not answer now; AskerRejected */
  check(number: RegisteredNumber, asker: RegisteredNumber | null): Promise<RegisterAnswer>;
};
