import ts from 'typescript';

const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, process.cwd());

/** A TypeScript program of some files and their imports. @param made virtual files, by path */
export function programOf(files: string[], made: Record<string, string> = {}) {
  const settings = { ...options, types: ['node'], incremental: false, tsBuildInfoFile: undefined };
  const host = ts.createCompilerHost(settings);
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = (name) => name in made || fileExists(name);
  host.readFile = (name) => made[name] ?? readFile(name);
  host.getSourceFile = (name, target, ...rest) => {
    const text = made[name];
    return text === undefined ? getSourceFile(name, target, ...rest) : ts.createSourceFile(name, text, target);
  };
  const program = ts.createProgram([...files, ...Object.keys(made)], settings, host);
  return { program, checker: program.getTypeChecker() };
}

const SDK = /\/node_modules\/stripe\//;

export const isStripes = (node: ts.Node) => SDK.test(node.getSourceFile().fileName);

/** Whether a type, or a part of it, is declared by the SDK. */
export function fromSdk(type: ts.Type): boolean {
  if (type.isUnionOrIntersection()) return type.types.some(fromSdk);
  return [type.symbol, type.aliasSymbol].some((symbol) => symbol?.declarations?.some(isStripes));
}
