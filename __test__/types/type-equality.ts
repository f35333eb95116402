// Compile-time equality of types, for the other files of this folder.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only when the type of the argument is exactly `Expected`. */
export function expectType<Expected>() {
  return <Actual>(
    _value: Actual,
    ..._proof: Same<Actual, Expected> extends true ? [] : ['the types differ']
  ): void => {}
}
