import { createDb } from '~/db/client';
import { isDuring, later, monthsLater } from '../base/time';
import { countUnconfirmed } from '../domain/vat/evidence';
import { isInEu } from '../domain/vat/kinds';
import { REGISTRATION_RULES } from '../domain/vat/registration-rules';
import {
  countriesWithoutRule,
  describeRegistration,
  registrationsDue,
  type SoldTo,
  soldByCountry,
  soldToConsumersAbroad,
} from '../domain/vat/registrations';
import { quarterAt } from '../domain/vat/rules';
import type { OperatorSettings } from '../env/operator';
import { VAT_LIMITS } from '../limits/vat';
import { type Finding, manual, ok, problem, warning } from './finding';

type Seller = Pick<OperatorSettings, 'country' | 'vatAtHome' | 'taxRegistrations'>;

/** Compares the sales in the books with thresholds of taxes, and counts sales whose country is not proven. Only reads. */
export async function checkVat(address: string, seller: Seller, now: Date): Promise<Finding[]> {
  const { db, close } = createDb(address, { max: 1, prepare: false, patient: true });
  try {
    const sold = await soldByCountry({ db }, now);
    // the quarter whose return is due, and the present one
    const quarters = { first: quarterAt(monthsLater(now, -3)), last: quarterAt(now) };
    const found = [
      ...registrationsDue(sold, seller).map((due) => warning('vat', describeRegistration(due))),
      ...unknownCountries(sold, seller),
      ...checkUnionThreshold(sold, seller, now),
      ...(await countUnconfirmed({ db }, quarters)).map(({ quarter, count }) =>
        warning('vat', `${count} sales of ${quarter} without two matching pieces of evidence: vat evidence ${quarter}`),
      ),
    ];
    return [
      ...(found.length > 0 ? found : [ok('vat', 'no threshold is near, and each country is proven')]),
      checkRules(now),
    ];
  } finally {
    await close();
  }
}

function unknownCountries(sold: SoldTo[], seller: Seller): Finding[] {
  const countries = countriesWithoutRule(sold, seller);
  return countries.length === 0 ? [] : [manual('vat', `sales to ${countries.join(', ')}: we have no rule for them`)];
}

/** VAT of the own country is right up to the threshold, in this year and the last one (Art. 59c). */
function checkUnionThreshold(sold: SoldTo[], { country, vatAtHome }: Seller, now: Date): Finding[] {
  if (!isDuring(vatAtHome, now)) return [];
  if (!isInEu(country)) return [problem('vat', 'OPERATOR_VAT_AT_HOME has no effect: the country is not in the Union')];
  const { thisYear, lastYear } = soldToConsumersAbroad(sold, { country });
  const most = Math.max(thisYear, lastYear);
  const amounts = `${Math.round(thisYear)} € this year, ${Math.round(lastYear)} € last year, of ${VAT_LIMITS.euThreshold} €`;
  const text = `sales to consumers in other countries of the Union: ${amounts}`;
  if (most > VAT_LIMITS.euThreshold) return [problem('vat', `${text}: end the period of OPERATOR_VAT_AT_HOME now`)];
  if (most < VAT_LIMITS.euThreshold * VAT_LIMITS.warnFromShare) return [];
  return [warning('vat', `${text}: register for the One Stop Shop, and set the end of OPERATOR_VAT_AT_HOME`)];
}

function checkRules(now: Date): Finding {
  const old = REGISTRATION_RULES.filter(({ checkedOn }) => later(new Date(checkedOn), VAT_LIMITS.ruleValidFor) < now);
  if (old.length === 0) return ok('rules', `${REGISTRATION_RULES.length} rules of countries outside the Union`);
  const countries = old.flatMap((rule) => rule.countries).join(', ');
  return warning('rules', `thresholds of ${countries} were read more than two years ago: ask a tax adviser, or update`);
}
