//! The walker's bytes are those of the naive encoder, by the layouts of V8 and by layouts that are shuffled.

use proptest::collection::vec;
use proptest::prelude::*;

use super::naive::{encode, is_left_open};
use super::values::{Origin, layouts, modes, realms, shuffled_layouts, values, values_with_traps, versions};
use super::{Laid, Mode, Outcome, Plans, config};
use crate::v8::fake_heap::value::{Realm, Value};

pub(super) fn same(found: &Outcome, expected: &Outcome) -> Result<(), TestCaseError> {
    match (found, expected) {
        _ if is_left_open(expected) => {}
        (Err(_), Err(_)) => {}
        (found, expected) => prop_assert_eq!(found, expected),
    }
    Ok(())
}

/// Each message twice, so that the second time there are plans; maps of different messages have the same
/// addresses.
fn check(
    messages: &[Value],
    origin: Origin,
    realm: Realm,
    mode: Mode<'_>,
    seed: u64,
) -> Result<(), TestCaseError> {
    let layout = &origin.layout();
    let mut plans = Plans::default();
    for message in messages {
        let laid = Laid::out(message, layout, realm, seed);
        let expected = encode(message, realm, mode);
        for _ in 0..2 {
            same(&laid.walk(layout, &mut plans, mode), &expected)?;
            prop_assert_eq!(laid.heap.strays(), 0);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn bytes_are_those_of_the_naive_encoder(
        messages in vec(values(), 1..4),
        origin in versions(),
        mode in modes(),
        seed in any::<u64>(),
    ) {
        check(&messages, origin, Realm::default(), mode, seed)?;
    }

    #[test]
    fn nothing_is_where_it_was(
        messages in vec(values(), 1..4),
        origin in shuffled_layouts(),
        mode in modes(),
        seed in any::<u64>(),
    ) {
        check(&messages, origin, Realm::default(), mode, seed)?;
    }

    #[test]
    fn traps_are_handed_over(
        messages in vec(values_with_traps(), 1..4),
        origin in layouts(),
        realm in realms(),
        mode in modes(),
        seed in any::<u64>(),
    ) {
        check(&messages, origin, realm, mode, seed)?;
    }
}
