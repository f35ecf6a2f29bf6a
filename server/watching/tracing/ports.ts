import type { Tracing } from './tracing';

type Call = (...args: unknown[]) => unknown;

/**
 * The same port with traced calls, named after their functions. @param depth how many levels of objects have functions:
 * the payments port has those of `fetch`
 */
export function tracedPort<Port extends object>(tracing: Tracing, name: string, port: Port, depth = 2): Port {
  const wrap = (key: string, value: unknown): unknown => {
    if (typeof value === 'function') return traced(key, value as Call);
    const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
    return isPlain && depth > 1 ? tracedPort(tracing, `${name}.${key}`, value, depth - 1) : value;
  };
  const traced = (key: string, call: Call): Call => {
    // the same port for another account or urgency, not a call
    if (key === 'on' || key === 'inBackground')
      return (...args) => tracedPort(tracing, name, call.apply(port, args) as object, depth);
    return (...args) => tracing.call(`${name}.${key}`, () => call.apply(port, args));
  };
  return new Proxy(port, {
    get: (target, key, receiver) => {
      const value = Reflect.get(target, key, receiver === undefined ? target : target);
      return typeof key === 'string' ? wrap(key, value) : value;
    },
  });
}
