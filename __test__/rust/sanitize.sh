#!/usr/bin/env bash
# Runs the tests of memory that is read or written by hand under tools that see what a test does not: the
# heap reader and its walker on made-up heaps, and the output buffer.
#
#   __test__/rust/sanitize.sh [address] [valgrind] [miri]
#
# Without arguments: AddressSanitizer, or valgrind where there is no nightly toolchain, and then Miri. What is
# not installed is said to be skipped. A report makes the script fail.
set -euo pipefail
cd "$(dirname "$0")/../.."

tests=(heap_tests:: v8:: buffer::)
# Fewer values, as all of it is many times slower.
export FERROPACK_VALUES="${FERROPACK_VALUES:-30}"

has_nightly() { cargo +nightly --version >/dev/null 2>&1; }
has_miri() { cargo +nightly miri --version >/dev/null 2>&1; }
skip() { echo "skipped: $1"; }

address() {
  if ! has_nightly; then skip 'AddressSanitizer needs a nightly toolchain'; return; fi
  local host
  host=$(rustc -vV | sed -n 's/^host: //p')
  echo "AddressSanitizer on $host"
  RUSTFLAGS=-Zsanitizer=address cargo +nightly test --locked --quiet --lib --target "$host" \
    --target-dir target/address -- "${tests[@]}"
}

valgrind_() {
  if ! command -v valgrind >/dev/null; then skip 'valgrind is not installed'; return; fi
  echo 'valgrind'
  cargo test --locked --quiet --lib --no-run
  CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER='valgrind --quiet --error-exitcode=9 --leak-check=no' \
  CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER='valgrind --quiet --error-exitcode=9 --leak-check=no' \
    cargo test --locked --quiet --lib -- heap_tests::live heap_tests::kinds buffer:: --test-threads=1
}

miri() {
  if ! has_miri; then skip 'Miri is not installed for the nightly toolchain'; return; fi
  echo 'Miri'
  # Addresses in the heap are numbers, so that pointers are made of them.
  MIRIFLAGS='-Zmiri-disable-isolation -Zmiri-permissive-provenance' \
    cargo +nightly miri test --locked --quiet --lib --target-dir target/miri -- \
    heap_tests::live buffer:: --skip every_end_of_the_memory --skip memory_is_kept
}

if [ $# -eq 0 ]; then
  if has_nightly; then address; else valgrind_; fi
  miri
fi
for tool in "$@"; do
  case "$tool" in
    address) address ;;
    valgrind) valgrind_ ;;
    miri) miri ;;
    *) echo "no tool is named $tool" >&2; exit 2 ;;
  esac
done
