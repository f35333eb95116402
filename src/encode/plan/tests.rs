//! What objects are written as by their plans: shapes are found once, and forgotten in time.

use super::super::records::OwnSlots;
use super::*;
use crate::tape::known::{MAP, NOTHING, OWN, SLOT};

const PLACE: Place = Place(3);

fn shapes(lists: &[&[&[u8]]]) -> Shapes {
    let mut shapes = Shapes::default();
    define(&mut shapes, lists);
    shapes
}

fn define(shapes: &mut Shapes, lists: &[&[&[u8]]]) {
    for list in lists {
        shapes.define(list.iter().map(|key| EncodedKey::new(key)).collect());
    }
}

/// Plans in a call, one of them for a class with these keys.
fn planned(keys: &[&[u8]]) -> Plans {
    let mut plans = Plans::default();
    plans.begin();
    let mut recording = Recording::new(PLACE);
    assert!(keys.iter().all(|key| recording.key(key, key.len() - 1, 0)));
    plans.finish(recording);
    plans
}

/// What the first object of the class is written as in a message of its own, and the second.
fn forms(plans: &mut Plans, shapes: &Shapes, table: &[u32]) -> [Result<Form, Handover>; 2] {
    let mut own = OwnSlots::default();
    let mut records = Records::begin(shapes, table, &mut own, 20, 21);
    plans.begin();
    plans.entries[PLACE.0].form = None;
    [(); 2].map(|()| plans.form(PLACE, &mut records))
}

#[test]
fn the_shape_is_that_of_the_keys() {
    let shapes = shapes(&[&[b"\xa1b", b"\xa1a"], &[b"\xa1a"], &[b"\xa1a", b"\xa1b"]]);
    let table = [SLOT, SLOT + 1, SLOT + 2];
    let plans = &mut planned(&[b"\xa1a", b"\xa1b"]);
    assert_eq!(forms(plans, &shapes, &table), [Ok(Form::Instance(2)); 2]);
    assert_eq!(forms(plans, &shapes, &[0, 0, OWN]), [Ok(Form::Definition(20)), Ok(Form::Instance(20))]);
    assert_eq!(forms(plans, &shapes, &[0, 0, MAP]), [Ok(Form::Map); 2]);
    assert_eq!(forms(&mut planned(&[]), &shapes, &table), [Err(Handover::Structure); 2]);
}

#[test]
fn what_failed_is_asked_again() {
    let lists: [&[&[u8]]; 2] = [&[b"\xa1x"], &[b"\xa1a"]];
    let mut shapes = shapes(&lists[..1]);
    let plans = &mut planned(lists[1]);
    assert_eq!(forms(plans, &shapes, &[SLOT, SLOT]), [Err(Handover::Structure); 2]);
    define(&mut shapes, &lists[1..]);
    assert_eq!(forms(plans, &shapes, &[SLOT, NOTHING]), [Err(Handover::Structure); 2]);
    assert_eq!(forms(plans, &shapes, &[SLOT, SLOT + 9]), [Ok(Form::Instance(9)); 2]);
}

#[test]
fn a_shape_is_remembered_for_its_generation_only() {
    let lists: [&[&[u8]]; 2] = [&[b"\xa1a"], &[b"\xa1b"]];
    let mut shapes = shapes(&lists);
    let plans = &mut planned(lists[0]);
    let table = [SLOT + 4, SLOT + 5];
    assert_eq!(forms(plans, &shapes, &table), [Ok(Form::Instance(4)); 2]);
    shapes.clear();
    assert_eq!(forms(plans, &shapes, &table), [Err(Handover::Structure); 2]);
    define(&mut shapes, &[lists[1], lists[0]]);
    assert_eq!(forms(plans, &shapes, &table), [Ok(Form::Instance(5)); 2]);
}
