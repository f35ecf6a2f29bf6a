import ts from 'typescript';

type Held = { value: unknown; type: ts.Type; at: string };

/** Differences between a JSON value and its declared type, at every depth. */
export function faultsOf(checker: ts.TypeChecker, held: Held): string[] {
  const { value, type, at } = held;
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return [];
  if (type.isUnion()) return faultsOfUnion(checker, { ...held, type });
  if (typeof value !== 'object' || value === null) return isPlain(checker, value, type) ? [] : [isNot(checker, held)];
  if (!checker.isArrayType(type)) return faultsOfGroup(checker, { ...held, value: { ...value } });
  const [of] = checker.getTypeArguments(type as ts.TypeReference);
  if (!Array.isArray(value)) return [isNot(checker, held)];
  return value.flatMap((each, i) => faultsOf(checker, { value: each, type: of!, at: `${at}[${i}]` }));
}

const isNot = (checker: ts.TypeChecker, { value, type, at }: Held) =>
  `${at} is ${JSON.stringify(value)}, not ${checker.typeToString(type)}`;

/** Exact decimals are strings in JSON; open string unions accept any string. */
function isPlain(checker: ts.TypeChecker, value: unknown, type: ts.Type): boolean {
  if (type.aliasSymbol?.name === 'Decimal') return typeof value === 'string';
  if (type.isIntersection()) return type.types.some((part) => isPlain(checker, value, part));
  if (value === null) return (type.flags & ts.TypeFlags.Null) !== 0;
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value === value;
  if (type.flags & ts.TypeFlags.BooleanLiteral) return checker.typeToString(type) === String(value);
  if (type.flags & ts.TypeFlags.String) return typeof value === 'string';
  if (type.flags & ts.TypeFlags.Number) return typeof value === 'number';
  return false;
}

/** Compares with the best-fitting member of the union. */
function faultsOfUnion(checker: ts.TypeChecker, held: Held & { type: ts.UnionType }): string[] {
  const isGroup = typeof held.value === 'object' && held.value !== null;
  const parts = held.type.types.filter((part) => !isGroup || part.flags & ts.TypeFlags.Object);
  const found = parts.map((type) => faultsOf(checker, { ...held, type })).sort((a, b) => a.length - b.length);
  const [nearest] = found;
  return nearest?.length === 0 || (isGroup && nearest) ? nearest : [isNot(checker, held)];
}

type Group = Held & { value: Record<string, unknown> };

function faultsOfGroup(checker: ts.TypeChecker, { value, type, at }: Group): string[] {
  if (!(type.flags & ts.TypeFlags.Object)) return [isNot(checker, { value, type, at })];
  const fields = checker.getPropertiesOfType(type);
  const known = new Set(fields.map(({ name }) => name));
  const others = Object.keys(value).filter((name) => !known.has(name));
  const entries = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  const held = (name: string, declared: ts.Type) =>
    faultsOf(checker, { value: value[name], type: declared, at: `${at}.${name}` });
  return [
    ...others.flatMap((name) => (entries ? held(name, entries) : [`${at}.${name} is not declared`])),
    ...fields.flatMap((field) => {
      if (value[field.name] !== undefined) return held(field.name, checker.getTypeOfSymbol(field));
      return field.flags & ts.SymbolFlags.Optional ? [] : [`${at}.${field.name} is missing`];
    }),
  ];
}
