/** The parts of npm packages that the SDK uses; `tools/libraries.mjs` names the packages. */

declare module "portcullis:library/encoding" {
  export const TextDecoder: typeof globalThis.TextDecoder;
  export const TextEncoder: typeof globalThis.TextEncoder;
}

declare module "portcullis:library/structured-clone" {
  /** Throws a TypeError for a function or a symbol, unless `lossy`. */
  export default function clone(value: unknown, options: { lossy: boolean }): unknown;
}

declare module "portcullis:library/whatwg-url" {
  interface Interface {
    /** Adds the class to an object in the place of the global one. */
    install(realm: object, names: string[]): void;
  }
  export const URL: Interface;
  export const URLSearchParams: Interface;
}
