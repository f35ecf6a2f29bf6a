import type { VatNumbersPort } from '../adapters/vat-numbers/port';
import { viesRegister } from '../adapters/vat-numbers/vies';
import { openViesSandbox, type ViesSandbox } from '../sandbox/vies/sandbox';

export type SelectedVatNumbers = {
  vatNumbers: VatNumbersPort;
  /** Null in production. */
  sandbox: ViesSandbox | null;
};

/** The register of the European Union in production, otherwise a local one that has every number. */
export function selectVatNumbers({ production }: { production: boolean }): SelectedVatNumbers {
  if (production) return { vatNumbers: viesRegister(), sandbox: null };
  const sandbox = openViesSandbox();
  const url = 'http://vies.localhost';
  const local: typeof fetch = async (input, init) => {
    const path = String(input instanceof Request ? input.url : input).slice(url.length);
    return sandbox.app.request(path, init);
  };
  return { vatNumbers: viesRegister({ url, fetch: local }), sandbox };
}
